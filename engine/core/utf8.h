// UTF-8 by the byte, for text that nobody vouches for. Source: the Unicode standard, table 3-7.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdint>
#include <string>
#include <string_view>

namespace steelyard {

// Length that a lead byte announces; 0 for bytes that cannot lead.
inline size_t utf8AnnouncedLength(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    if (byte < 0x80) return 1;
    if (byte >= 0xC2 && byte <= 0xDF) return 2;
    if ((byte & 0xF0) == 0xE0) return 3;
    return byte >= 0xF0 && byte <= 0xF4 ? 4 : 0;
}

// True when the first `have` bytes, whose lead announces at least as many, can begin a valid sequence: trail bytes, no
// over-long form, no surrogate, nothing beyond U+10FFFF.
inline bool utf8CanBegin(std::string_view bytes, size_t have) {
    const auto at = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
    for (size_t i = 1; i < have; ++i)
        if ((at(i) & 0xC0) != 0x80) return false;
    if (have < 2) return true;
    if ((at(0) == 0xE0 && at(1) < 0xA0) || (at(0) == 0xED && at(1) > 0x9F)) return false;
    return !((at(0) == 0xF0 && at(1) < 0x90) || (at(0) == 0xF4 && at(1) > 0x8F));
}

// Bytes of the valid sequence at the start of a non-empty text; 0 when it is broken or cut.
inline size_t utf8Length(std::string_view text) {
    const size_t length = utf8AnnouncedLength(text[0]);
    return length != 0 && length <= text.size() && utf8CanBegin(text, length) ? length : 0;
}

// The code point of the valid sequence of `length` bytes at the start of a text.
inline uint32_t utf8Code(std::string_view text, size_t length) {
    const auto at = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
    if (length == 1) return at(0);
    uint32_t code = at(0) & (0x7Fu >> length);
    for (size_t i = 1; i < length; ++i)
        code = code << 6 | (at(i) & 0x3F);
    return code;
}

// Adds a code point, which is no surrogate, to a text.
inline void appendUtf8(std::string& text, uint32_t code) {
    if (code < 0x80) {
        text += static_cast<char>(code);
        return;
    }
    const size_t trailing = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static constexpr uint32_t kLeads[] = {0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(kLeads[trailing] | code >> (6 * trailing));
    for (size_t i = trailing; i-- > 0;) text += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F));
}

} // namespace steelyard
