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

} // namespace

size_t incompleteTail(std::string_view text) {
    for (size_t have = 1; have <= 3 && have <= text.size(); ++have) {
        const std::string_view tail = text.substr(text.size() - have);
        if (utf8AnnouncedLength(tail[0]) > have && utf8CanBegin(tail, have)) return have;
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
            const uint32_t code = utf8Code(text.substr(i), length);
            characters.push_back({code, offset, code < 128 ? ascii[code] : classesOf(code)});
        }
        i += std::max<size_t>(length, 1);
    }
    characters.push_back({0, static_cast<uint32_t>(text.size()), 0});
    return characters;
}

bool beginsWithBlank(std::string_view text) {
    const size_t length = text.empty() ? 0 : utf8Length(text);
    return length != 0 && isSpace(utf8Code(text, length));
}

} // namespace steelyard
