// Texts brought into the form that a vocabulary expects: composed, in lower case, without accents.
#include "engine/tokenizer/characters.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>

namespace steelyard {

namespace {

constexpr size_t kLongestMarkRun = 64;

bool isAscii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// The library sorts combining marks in quadratic time, so texts with absurdly long runs of them are left alone; so are
// texts that are not valid UTF-8.
bool isFitForSorting(std::string_view text) {
    size_t run = 0;
    for (size_t i = 0; i < text.size();) {
        const size_t length = utf8Length(text.substr(i));
        if (length == 0) return false;
        const auto code = static_cast<utf8proc_int32_t>(utf8Code(text.substr(i), length));
        run = utf8proc_get_property(code)->combining_class != 0 ? run + 1 : 0;
        if (run > kLongestMarkRun) return false;
        i += length;
    }
    return true;
}

std::string mapped(std::string_view text, int options) {
    if (isAscii(text) || !isFitForSorting(text)) return std::string(text);
    utf8proc_uint8_t* result = nullptr;
    const auto length =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                     &result, static_cast<utf8proc_option_t>(options));
    std::string changed =
        length < 0 ? std::string(text) : std::string(reinterpret_cast<char*>(result), static_cast<size_t>(length));
    std::free(result);
    return changed;
}

void append(std::string& text, utf8proc_int32_t code) {
    utf8proc_uint8_t buffer[4];
    const auto length = utf8proc_encode_char(code, buffer);
    text.append(reinterpret_cast<const char*>(buffer), static_cast<size_t>(length));
}

// The Han blocks that BERT's word splitting knows.
bool isBertHan(uint32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
           (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

bool isDropped(const Character& c) {
    if (c.code == 0 || c.code == 0xFFFD) return true;
    if (c.is(Character::Space)) return false;
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c.code))) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CN:
        return true;
    default:
        return false;
    }
}

bool isAccent(uint32_t code) {
    return utf8proc_category(static_cast<utf8proc_int32_t>(code)) == UTF8PROC_CATEGORY_MN;
}

} // namespace

std::string composed(std::string_view text) {
    return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

std::string lowerCased(std::string_view text) {
    std::string lower;
    lower.reserve(text.size());
    for (size_t i = 0; i < text.size();) {
        const size_t length = utf8Length(text.substr(i));
        if (length == 0)
            lower += text[i];
        else
            append(lower, utf8proc_tolower(static_cast<utf8proc_int32_t>(utf8Code(text.substr(i), length))));
        i += std::max<size_t>(length, 1);
    }
    return lower;
}

std::vector<std::string> basicWords(std::string_view text, bool lowerCases, bool stripsAccents) {
    const std::string changed = stripsAccents ? mapped(text, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE) : std::string(text);
    auto characters = charactersOf(changed);
    characters.pop_back();
    std::vector<std::string> words;
    bool continues = false; // the last word may still grow
    for (const Character& c : characters) {
        if (isDropped(c) || (stripsAccents && isAccent(c.code))) continue;
        if (c.is(Character::Space)) {
            continues = false;
            continue;
        }
        const bool alone =
            c.is(Character::Punctuation) || (c.code < 0x80 && c.is(Character::Symbol)) || isBertHan(c.code);
        if (alone || !continues) words.emplace_back();
        const auto code = static_cast<utf8proc_int32_t>(c.code);
        append(words.back(), lowerCases ? utf8proc_tolower(code) : code);
        continues = !alone;
    }
    return words;
}

} // namespace steelyard
