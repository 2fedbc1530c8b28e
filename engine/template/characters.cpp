#include "engine/template/characters.h"

#include "engine/core/utf8.h"

#include <utf8proc.h>

#include <cstdlib>

namespace steelyard::jinja {

namespace {

utf8proc_category_t category(uint32_t code) {
    return static_cast<utf8proc_category_t>(utf8proc_category(static_cast<utf8proc_int32_t>(code)));
}

// The few characters whose upper case is several characters and that people write.
const char* longUpperCase(uint32_t code) {
    switch (code) {
    case 0xDF:
        return "SS";
    case 0x149:
        return "\xCA\xBCN";
    case 0x1F0:
        return "J\xCC\x8C";
    case 0x587:
        return "\xD4\xB5\xD5\x92";
    case 0xFB00:
        return "FF";
    case 0xFB01:
        return "FI";
    case 0xFB02:
        return "FL";
    case 0xFB03:
        return "FFI";
    case 0xFB04:
        return "FFL";
    case 0xFB05:
    case 0xFB06:
        return "ST";
    default:
        return nullptr;
    }
}

} // namespace

size_t characterLength(std::string_view text) {
    const size_t length = utf8Length(text);
    return length == 0 ? 1 : length;
}

uint32_t codePoint(std::string_view text) {
    const size_t length = utf8Length(text);
    return length == 0 ? 0xFFFD : utf8Code(text, length);
}

std::string encoded(uint32_t code) {
    const bool isCharacter = code < 0x110000 && (code < 0xD800 || code >= 0xE000); // half of a pair cannot stand in UTF-8
    std::string text;
    appendUtf8(text, isCharacter ? code : 0xFFFD);
    return text;
}

size_t characterCount(std::string_view text) {
    size_t count = 0;
    forEachCharacter(text, [&](size_t, size_t) { ++count; });
    return count;
}

size_t byteOfCharacter(std::string_view text, size_t index) {
    size_t at = 0;
    for (; index > 0 && at < text.size(); --index)
        at += characterLength(text.substr(at));
    return at;
}

std::string upperCase(uint32_t code) {
    if (const char* several = longUpperCase(code)) return several;
    return encoded(static_cast<uint32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(code))));
}

std::string lowerCase(uint32_t code) {
    if (code == 0x130) return "i\xCC\x87";
    return encoded(static_cast<uint32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code))));
}

std::string titleCase(uint32_t code) {
    if (code == 0xDF) return "Ss";
    if (longUpperCase(code)) return upperCase(code);
    return encoded(static_cast<uint32_t>(utf8proc_totitle(static_cast<utf8proc_int32_t>(code))));
}

bool isSpace(uint32_t c) {
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool isLetter(uint32_t code) {
    const auto c = category(code);
    return c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO;
}

bool isDecimal(uint32_t code) {
    return category(code) == UTF8PROC_CATEGORY_ND;
}

bool isNumeric(uint32_t code) {
    const auto c = category(code);
    return c == UTF8PROC_CATEGORY_ND || c == UTF8PROC_CATEGORY_NL || c == UTF8PROC_CATEGORY_NO;
}

bool isUpper(uint32_t code) {
    return utf8proc_isupper(static_cast<utf8proc_int32_t>(code)) != 0;
}
bool isLower(uint32_t code) {
    return utf8proc_islower(static_cast<utf8proc_int32_t>(code)) != 0;
}

bool isPrintable(uint32_t code) {
    if (code == ' ') return true;
    switch (category(code)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return false;
    default:
        return true;
    }
}

bool isWordCharacter(uint32_t code) {
    return code == '_' || isLetter(code) || isNumeric(code);
}

} // namespace steelyard::jinja
