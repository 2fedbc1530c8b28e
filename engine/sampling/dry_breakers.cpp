#include "engine/sampling/dry_breakers.h"

#include <algorithm>

namespace steelyard {

DryBreakers::DryBreakers(std::vector<std::string> texts, std::function<std::string(int32_t)> bytes)
    : m_texts(std::move(texts)), m_bytes(std::move(bytes)) {
    m_texts.erase(std::remove(m_texts.begin(), m_texts.end(), std::string()), m_texts.end());
    for (const auto& text : m_texts) m_longest = std::max(m_longest, text.size());
}

size_t DryBreakers::tokensAfterLast(std::span<const int32_t> history) const {
    if (m_texts.empty()) return history.size();
    std::string tail; // the bytes behind the token that is looked at, as many as a breaker may reach into
    for (size_t after = 0; after < history.size(); ++after) {
        const std::string bytes = m_bytes(history[history.size() - 1 - after]);
        const std::string text = bytes + tail;
        size_t begin = std::string::npos, end = 0; // of the last breaker that begins in this token
        for (const auto& breaker : m_texts) {
            if (bytes.empty()) break;
            const size_t found = text.rfind(breaker, bytes.size() - 1);
            if (found == std::string::npos || (begin != std::string::npos && found + breaker.size() <= end)) continue;
            begin = found;
            end = found + breaker.size();
        }
        if (begin != std::string::npos) {
            // Tokens that it reaches into are not behind it.
            size_t reached = bytes.size();
            while (after > 0 && reached < end) reached += m_bytes(history[history.size() - after--]).size();
            return after;
        }
        tail = text.substr(0, m_longest);
    }
    return history.size();
}

bool DryBreakers::isBreaker(int32_t token) const {
    const std::string bytes = m_bytes(token);
    return std::any_of(m_texts.begin(), m_texts.end(), [&](const auto& text) { return bytes.find(text) != std::string::npos; });
}

} // namespace steelyard
