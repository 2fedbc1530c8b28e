// Text as code points with what pre-tokenizers ask about them. Bytes that are no valid UTF-8 stand as characters of no
// class, so that every byte of a text lies in exactly one character. Knows nothing of vocabularies.
#pragma once

#include "engine/core/utf8.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard {

struct Character {
    enum Class : uint16_t {
        Upper = 1,       // Lu, Lt
        Lower = 2,       // Ll
        OtherLetter = 4, // Lm, Lo
        Mark = 8,
        Number = 16,
        Punctuation = 32,
        Symbol = 64,
        Space = 128,   // White_Space
        Newline = 256, // \r or \n; also Space
        Han = 512,     // also OtherLetter or another class
        Digit = 1024,  // Nd; also Number
        Letter = Upper | Lower | OtherLetter,
    };
    uint32_t code;
    uint32_t offset; // of its first byte
    uint16_t classes;

    bool is(int wanted) const { return (classes & wanted) != 0; }
};

// The characters of a text of less than 4 GiB, followed by one of code 0 and no class at the text's end.
std::vector<Character> charactersOf(std::string_view text);

// Canonical composition (NFC). Text that is not valid UTF-8, or holds absurdly long runs of combining marks, is
// returned unchanged.
std::string composed(std::string_view text);

// The text in lower case, character by character; broken bytes stay.
std::string lowerCased(std::string_view text);

// Words as BERT cuts them: parted at blanks, with each punctuation mark and each Han character a word of its own,
// control characters dropped. `lowerCases` and `stripsAccents` change the letters first.
std::vector<std::string> basicWords(std::string_view text, bool lowerCases, bool stripsAccents);

// True for a text whose first character is a blank.
bool beginsWithBlank(std::string_view text);

// Bytes at the end of a text that begin a character and could still be completed: 0 to 3.
size_t incompleteTail(std::string_view text);

} // namespace steelyard
