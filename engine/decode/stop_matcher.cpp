#include "engine/decode/stop_matcher.h"

#include <algorithm>

namespace steelyard {

StopMatcher::StopMatcher(std::vector<std::string> stops) : m_stops(std::move(stops)) {
    m_stops.erase(std::remove(m_stops.begin(), m_stops.end(), std::string()), m_stops.end());
}

std::string StopMatcher::push(std::string_view text) {
    if (m_matched) return {};
    m_held += text;
    size_t first = std::string::npos;
    for (const auto& stop : m_stops) first = std::min(first, m_held.find(stop));
    if (first != std::string::npos) {
        m_matched = true;
        std::string shown = m_held.substr(0, first);
        m_held.clear();
        return shown;
    }
    size_t keep = 0; // the longest tail that begins a stop string
    for (const auto& stop : m_stops)
        for (size_t length = std::min(stop.size() - 1, m_held.size()); length > keep; --length)
            if (std::string_view(m_held).substr(m_held.size() - length) == std::string_view(stop).substr(0, length)) keep = length;
    std::string shown = m_held.substr(0, m_held.size() - keep);
    m_held.erase(0, m_held.size() - keep);
    return shown;
}

std::string StopMatcher::finish() {
    std::string rest;
    rest.swap(m_held);
    return m_matched ? std::string() : rest;
}

} // namespace steelyard
