// UTF-8 and Unicode as Python's strings see them: characters, case, classes. Broken bytes count as one character each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace steelyard::jinja {

// Bytes of the character at the start of a non-empty text.
size_t characterLength(std::string_view text);
// Its code point; U+FFFD for a broken byte.
uint32_t codePoint(std::string_view text);
std::string encoded(uint32_t codePoint);

template <class Each>
void forEachCharacter(std::string_view text, const Each& each) {
    for (size_t at = 0; at < text.size();) {
        const size_t length = characterLength(text.substr(at));
        each(at, at + length);
        at += length;
    }
}

size_t characterCount(std::string_view text);
// The byte at which character `index` begins, or the text's size.
size_t byteOfCharacter(std::string_view text, size_t index);

std::string upperCase(uint32_t codePoint); // may be longer: ß gives SS
std::string lowerCase(uint32_t codePoint);
std::string titleCase(uint32_t codePoint);

bool isSpace(uint32_t codePoint);   // as str.isspace
bool isLetter(uint32_t codePoint);  // as str.isalpha
bool isDecimal(uint32_t codePoint); // Nd
bool isNumeric(uint32_t codePoint); // Nd, Nl, No
bool isUpper(uint32_t codePoint);
bool isLower(uint32_t codePoint);
bool isPrintable(uint32_t codePoint);     // as str.isprintable
bool isWordCharacter(uint32_t codePoint); // as \w

} // namespace steelyard::jinja
