#include "engine/tokenizer/precompiled_map.h"

#include <cstring>

namespace steelyard {

namespace {

// The parts of a unit.
constexpr uint32_t kValueBit = uint32_t(1) << 31;

bool hasLeaf(uint32_t unit) {
    return (unit >> 8 & 1) != 0;
}
uint32_t labelOf(uint32_t unit) {
    return unit & (kValueBit | 0xFF);
}
uint32_t valueOf(uint32_t unit) {
    return unit & ~kValueBit;
}
uint32_t offsetOf(uint32_t unit) {
    return (unit >> 10) << ((unit & (1u << 9)) >> 6);
}

} // namespace

Result<PrecompiledMap> PrecompiledMap::parse(std::string_view blob) {
    const auto wrong = [](const std::string& why) {
        return Error{"\"tokenizer.ggml.precompiled_charsmap\" is damaged: " + why + "."};
    };
    uint32_t trieBytes = 0;
    if (blob.size() < sizeof trieBytes) return wrong("it has only " + std::to_string(blob.size()) + " bytes");
    std::memcpy(&trieBytes, blob.data(), sizeof trieBytes);
    blob.remove_prefix(sizeof trieBytes);
    if (trieBytes == 0 || trieBytes % 4 != 0 || trieBytes >= blob.size())
        return wrong("its table of " + std::to_string(trieBytes) + " bytes does not fit in " +
                     std::to_string(blob.size()));
    PrecompiledMap map;
    map.m_units.resize(trieBytes / 4);
    std::memcpy(map.m_units.data(), blob.data(), trieBytes);
    map.m_texts = blob.substr(trieBytes);
    if (map.m_texts.back() != '\0') return wrong("its last replacement does not end");
    return map;
}

std::optional<PrecompiledMap::Replacement> PrecompiledMap::longestAt(std::string_view input) const {
    if (m_units.empty()) return std::nullopt;
    std::optional<Replacement> best;
    uint32_t node = offsetOf(m_units[0]);
    for (size_t i = 0; i < input.size(); ++i) {
        const auto byte = static_cast<unsigned char>(input[i]);
        node ^= byte;
        if (byte == 0 || node >= m_units.size() || labelOf(m_units[node]) != byte) break;
        const bool leaf = hasLeaf(m_units[node]);
        node ^= offsetOf(m_units[node]);
        if (node >= m_units.size()) break;
        if (!leaf) continue;
        const uint32_t place = valueOf(m_units[node]);
        if (place < m_texts.size()) best = Replacement{i + 1, m_texts.c_str() + place};
    }
    return best;
}

} // namespace steelyard
