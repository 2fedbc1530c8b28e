#include "engine/tokenizer/byte_alphabet.h"

#include <array>
#include <cstdint>

namespace steelyard {

namespace {

constexpr bool standsForItself(int byte) {
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
}

// Byte by character; -1 outside the alphabet. The highest character is U+0143.
constexpr std::array<int16_t, 0x144> makeTable() {
    std::array<int16_t, 0x144> table{};
    for (auto& entry : table)
        entry = -1;
    int next = 0x100;
    for (int byte = 0; byte < 256; ++byte)
        table[static_cast<size_t>(standsForItself(byte) ? byte : next++)] = static_cast<int16_t>(byte);
    return table;
}
constexpr auto kByteOf = makeTable();

} // namespace

std::optional<std::string> bytesFromAlphabet(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i) {
        size_t code = static_cast<unsigned char>(text[i]);
        if (code >= 0x80) {
            // All characters of the alphabet have at most two bytes.
            if ((code & 0xE0) != 0xC0 || i + 1 == text.size()) return std::nullopt;
            code = (code & 0x1F) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F);
        }
        if (code >= kByteOf.size() || kByteOf[code] < 0) return std::nullopt;
        bytes += static_cast<char>(kByteOf[code]);
    }
    return bytes;
}

} // namespace steelyard
