#include "engine/template/text.h"

#include <algorithm>

namespace steelyard::jinja {

void Text::append(std::string_view bytes, bool trusted) {
    if (bytes.empty()) return;
    m_bytes += bytes;
    if (!m_runs.empty() && m_runs.back().trusted == trusted)
        m_runs.back().end = m_bytes.size();
    else
        m_runs.push_back({m_bytes.size(), trusted});
}

size_t Text::runAt(size_t byte) const {
    const auto run =
        std::upper_bound(m_runs.begin(), m_runs.end(), byte, [](size_t at, const Run& r) { return at < r.end; });
    return static_cast<size_t>(run - m_runs.begin());
}

void Text::append(const Text& other, size_t from, size_t to) {
    const std::string_view bytes = other.m_bytes;
    for (size_t run = other.runAt(from); from < to; ++run) {
        const size_t end = std::min(to, other.m_runs[run].end);
        append(bytes.substr(from, end - from), other.m_runs[run].trusted);
        from = end;
    }
}

void Text::appendLike(std::string_view bytes, const Text& other, size_t at) {
    append(bytes, other.empty() || other.m_runs[std::min(other.runAt(at), other.m_runs.size() - 1)].trusted);
}

Text Text::slice(size_t from, size_t to) const {
    Text part;
    part.append(*this, from, to);
    return part;
}

} // namespace steelyard::jinja
