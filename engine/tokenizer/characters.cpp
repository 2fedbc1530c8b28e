#include "engine/tokenizer/characters.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace steelyard {

namespace {

bool isSpace(uint32_t code) {
    return (code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 || code == 0xA0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
           code == 0x3000;
}

bool isHan(uint32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x323AF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2E80 && c <= 0x2FD5) || c == 0x3005 || c == 0x3007 ||
           (c >= 0x3021 && c <= 0x3029) || (c >= 0x3038 && c <= 0x303B);
}

uint16_t categoryClasses(uint32_t code) {
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
        return Character::Upper;
    case UTF8PROC_CATEGORY_LL:
        return Character::Lower;
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
        return Character::OtherLetter;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return Character::Mark;
    case UTF8PROC_CATEGORY_ND:
        return Character::Number | Character::Digit;
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return Character::Number;
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
        return Character::Punctuation;
    case UTF8PROC_CATEGORY_SM:
    case UTF8PROC_CATEGORY_SC:
    case UTF8PROC_CATEGORY_SK:
    case UTF8PROC_CATEGORY_SO:
        return Character::Symbol;
    default:
        return 0;
    }
}

uint16_t classesOf(uint32_t code) {
    uint16_t classes = categoryClasses(code);
    if (isSpace(code)) classes |= Character::Space;
    if (isHan(code)) classes |= Character::Han;
    if (code == '\r' || code == '\n') classes |= Character::Newline;
    return classes;
}

// Length that a lead byte announces; 0 for bytes that cannot lead.
size_t announcedLength(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return 2;
    if ((lead & 0xF0) == 0xE0) return 3;
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

// True when the first `have` bytes can begin a valid sequence: trail bytes, no over-long form, no surrogate.
bool plausible(std::string_view bytes, size_t have) {
    const auto at = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
    for (size_t i = 1; i < have; ++i)
        if ((at(i) & 0xC0) != 0x80) return false;
    if (have < 2) return true;
    if ((at(0) == 0xE0 && at(1) < 0xA0) || (at(0) == 0xED && at(1) > 0x9F)) return false;
    return !((at(0) == 0xF0 && at(1) < 0x90) || (at(0) == 0xF4 && at(1) > 0x8F));
}

} // namespace

uint32_t decodeCharacter(std::string_view bytes, size_t length) {
    const auto at = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(bytes[i])); };
    if (length == 1) return at(0);
    uint32_t code = at(0) & (0x7Fu >> length);
    for (size_t i = 1; i < length; ++i)
        code = code << 6 | (at(i) & 0x3F);
    return code;
}

size_t utf8Length(std::string_view text) {
    const size_t length = announcedLength(static_cast<unsigned char>(text[0]));
    return length != 0 && length <= text.size() && plausible(text, length) ? length : 0;
}

size_t incompleteTail(std::string_view text) {
    for (size_t have = 1; have <= 3 && have <= text.size(); ++have) {
        const std::string_view tail = text.substr(text.size() - have);
        if (announcedLength(static_cast<unsigned char>(tail[0])) > have && plausible(tail, have)) return have;
    }
    return 0;
}

std::vector<Character> charactersOf(std::string_view text) {
    static const auto ascii = [] {
        std::array<uint16_t, 128> table{};
        for (uint32_t code = 0; code < table.size(); ++code)
            table[code] = classesOf(code);
        return table;
    }();
    std::vector<Character> characters;
    characters.reserve(text.size() + 1);
    for (size_t i = 0; i < text.size();) {
        const size_t length = utf8Length(text.substr(i));
        const auto offset = static_cast<uint32_t>(i);
        if (length == 0) {
            characters.push_back({0xFFFD, offset, 0});
        } else {
            const uint32_t code = decodeCharacter(text.substr(i), length);
            characters.push_back({code, offset, code < 128 ? ascii[code] : classesOf(code)});
        }
        i += std::max<size_t>(length, 1);
    }
    characters.push_back({0, static_cast<uint32_t>(text.size()), 0});
    return characters;
}

bool beginsWithBlank(std::string_view text) {
    const size_t length = text.empty() ? 0 : utf8Length(text);
    return length != 0 && isSpace(decodeCharacter(text, length));
}

} // namespace steelyard
