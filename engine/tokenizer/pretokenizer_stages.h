// The scanners from which pre-tokenizers are made: each finds the end of one piece that begins at a place, as the
// published regular expressions of the vocabularies do, by hand, in linear time and without recursion. Knows nothing of
// tokens.
#pragma once

#include "engine/tokenizer/characters.h"

#include <functional>
#include <span>

namespace steelyard {

// How the common word scanner behaves; the names of the fields stand for the parts of the usual expressions.
struct WordRules {
    enum class Contractions : uint8_t { None, LowerCase, AnyCase } contractions = Contractions::None;
    // Spaced: " ?L+"; Prefixed: "[^\r\n L N]?L+"; Cased: a word also ends where lower case meets upper case; Phrases:
    // as Prefixed, and words with one blank between them are one piece.
    enum class Words : uint8_t { Spaced, Prefixed, Cased, Phrases } words = Words::Spaced;
    bool marksInWords = false;      // combining marks count as letters
    bool contractionSuffix = false; // Cased: a contraction belongs to the word before it
    uint8_t digits = 0;             // most digits of a piece; 0 = any number, after an optional blank when Spaced
    // What belongs to the punctuation before it; OneNewlineOrSlash: at most one of them.
    enum class Tail : uint8_t { None, Newlines, NewlinesAndSlashes, OneNewlineOrSlash } punctuationTail = Tail::None;
    // Before the other rules for blanks: "\s*[\r\n]+", or "[\r\n]".
    enum class Newlines : uint8_t { AsBlanks, Runs, Single } newlines = Newlines::AsBlanks;
    bool blanksByPowers = false; // runs of blanks are cut to 512, 256, ... 4, 2, 1
};

// The characters of a text (without the closing one) and a place in it.
using Characters = std::span<const Character>;

// One pass over the pieces so far: where `match` finds an end beyond `at`, [at, end) becomes a piece of its own; what
// lies between matches becomes a piece too. Where there is a `cut`, it is called instead and tells the places between pieces.
struct PretokenizerStage {
    size_t (*match)(Characters text, size_t at, const WordRules& rules);
    WordRules rules;
    void (*cut)(Characters text, const std::function<void(size_t)>& place) = nullptr;
};

// Words, numbers, punctuation and blanks by rules. Matches everywhere.
size_t matchWords(Characters text, size_t at, const WordRules& rules);
// The main expression of DeepSeek V3 and its relatives.
size_t matchDeepSeekWords(Characters text, size_t at, const WordRules& rules);
// The main expression of Kimi K2: runs of Han characters, else cased words without them.
size_t matchKimiWords(Characters text, size_t at, const WordRules& rules);
// At most rules.digits numbers (0 = any).
size_t matchNumbers(Characters text, size_t at, const WordRules& rules);
// Exactly three ASCII digits.
size_t matchThreeDigits(Characters text, size_t at, const WordRules& rules);
// All decimal digits, where a word ends behind them.
size_t matchWholeDigits(Characters text, size_t at, const WordRules& rules);
// Digits in groups of three counted from the right, in a piece of nothing but digits: the first takes the remainder.
size_t matchDigitGroups(Characters text, size_t at, const WordRules& rules);
// Before each place behind which digits stand in threes up to the end of their run: "(?=(\d{3})+(?!\d))".
void cutDigitGroups(Characters text, const std::function<void(size_t)>& place);
size_t matchNewline(Characters text, size_t at, const WordRules& rules);
size_t matchLines(Characters text, size_t at, const WordRules& rules);         // runs of \n, and what stands between
size_t matchLastBlanks(Characters text, size_t at, const WordRules& rules);    // "\s+$"
size_t matchNoBlanks(Characters text, size_t at, const WordRules& rules);      // "\S+"
size_t matchSpacedLetters(Characters text, size_t at, const WordRules& rules); // "\s?L+"
size_t matchSpacedPunctuation(Characters text, size_t at, const WordRules& rules); // "\s?P+"
// Runs of punctuation and a few symbols; Falcon's have the back-tick too.
size_t matchPunctuationRun(Characters text, size_t at, const WordRules& rules);
size_t matchFalconPunctuation(Characters text, size_t at, const WordRules& rules);
// " ?" and anything but blanks and sentence punctuation (Bloom and its relatives).
size_t matchBloomWords(Characters text, size_t at, const WordRules& rules);

// By lists of code points; pretokenizer_ranges.cpp.
bool isOtherWordCode(uint32_t code); // of \w beside letters, marks and decimal digits
size_t matchCjk(Characters text, size_t at, const WordRules& rules); // Han, Hiragana, Katakana as DeepSeek V3 has them
size_t matchWideCjk(Characters text, size_t at, const WordRules& rules);
size_t matchAsianScripts(Characters text, size_t at, const WordRules& rules);
size_t matchEastAsianRuns(Characters text, size_t at, const WordRules& rules); // Hangul, punctuation, Bopomofo or CJK
size_t matchSpacedCasedLetters(Characters text, size_t at, const WordRules& rules);
size_t matchSpacedWidePunctuation(Characters text, size_t at, const WordRules& rules);
// Chameleon: image tokens, short blanks, single ASCII symbols and punctuation.
size_t matchImageTokens(Characters text, size_t at, const WordRules& rules);
size_t matchShortBlanks(Characters text, size_t at, const WordRules& rules);
size_t matchOnePunctuation(Characters text, size_t at, const WordRules& rules);

} // namespace steelyard
