#include "engine/tokenizer/pretokenizer_stages.h"

#include <algorithm>
#include <string_view>

namespace steelyard {

namespace {

using C = Character;

bool is(Characters text, size_t at, int classes) {
    return at < text.size() && text[at].is(classes);
}
bool isCode(Characters text, size_t at, uint32_t code) {
    return at < text.size() && text[at].code == code;
}

template <class Predicate>
size_t skip(Characters text, size_t at, Predicate predicate) {
    while (at < text.size() && predicate(text[at]))
        ++at;
    return at;
}

size_t skipClasses(Characters text, size_t at, int classes) {
    return skip(text, at, [&](const Character& c) { return c.is(classes); });
}

uint32_t asciiLower(uint32_t code) {
    return code >= 'A' && code <= 'Z' ? code + 32 : code;
}

// The end of 's 't 're 've 'm 'll 'd at a place, or the place itself.
size_t endOfContraction(Characters text, size_t at, bool anyCase) {
    if (!isCode(text, at, '\'') || at + 1 >= text.size()) return at;
    const auto letter = [&](size_t i) {
        return i < text.size() ? (anyCase ? asciiLower(text[i].code) : text[i].code) : 0;
    };
    const uint32_t first = letter(at + 1), second = letter(at + 2);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return at + 2;
    if ((first == 'r' && second == 'e') || (first == 'v' && second == 'e') || (first == 'l' && second == 'l'))
        return at + 3;
    return at;
}

// "U*L+", where U = upper case, L = lower case and both hold letters without case and marks.
size_t endOfLowerWord(Characters text, size_t at, int excluded) {
    const auto in = [&](size_t i, int classes) {
        return i < text.size() && text[i].is(classes) && !text[i].is(excluded);
    };
    const int upper = C::Upper | C::OtherLetter | C::Mark, lower = C::Lower | C::OtherLetter | C::Mark;
    size_t end = at;
    while (in(end, upper))
        ++end;
    if (in(end, lower)) {
        while (in(end, lower))
            ++end;
        return end;
    }
    while (end > at && !in(end - 1, lower))
        --end; // give back what only upper case may take
    return end;
}

// "U+L*"; reached only where endOfLowerWord found nothing, so no lower case follows.
size_t endOfUpperWord(Characters text, size_t at, int excluded) {
    return skip(text, at,
                [&](const Character& c) { return c.is(C::Upper | C::OtherLetter | C::Mark) && !c.is(excluded); });
}

bool isWordPrefix(const Character& c) {
    return !c.is(C::Newline | C::Letter | C::Number);
}

size_t matchCasedWord(Characters text, size_t at, bool contractionSuffix, int excluded) {
    const bool prefixed = isWordPrefix(text[at]);
    for (auto* endOf : {&endOfLowerWord, &endOfUpperWord}) {
        size_t end = prefixed ? endOf(text, at + 1, excluded) : at;
        if (!prefixed || end == at + 1) end = endOf(text, at, excluded);
        if (end > at) return contractionSuffix ? endOfContraction(text, end, true) : end;
    }
    return at;
}

// "(?:L M*(?: L M*)*)+": letters with marks, also with one blank between two of them.
size_t endOfPhrase(Characters text, size_t at) {
    size_t end = at;
    for (;;) {
        const bool blank = end > at && isCode(text, end, ' ') && is(text, end + 1, C::Letter);
        if (!blank && !is(text, end, C::Letter)) return end;
        end = skipClasses(text, end + (blank ? 2 : 1), C::Mark);
    }
}

size_t matchWord(Characters text, size_t at, const WordRules& rules) {
    const int letters = rules.marksInWords ? C::Letter | C::Mark : C::Letter;
    switch (rules.words) {
    case WordRules::Words::Cased:
        return matchCasedWord(text, at, rules.contractionSuffix, 0);
    case WordRules::Words::Spaced: {
        const size_t start = isCode(text, at, ' ') ? at + 1 : at;
        const size_t end = skipClasses(text, start, letters);
        return end > start ? end : at;
    }
    case WordRules::Words::Phrases: {
        const size_t end = isWordPrefix(text[at]) ? endOfPhrase(text, at + 1) : at;
        return end > at + 1 ? end : endOfPhrase(text, at);
    }
    case WordRules::Words::Prefixed: {
        if (isWordPrefix(text[at])) {
            const size_t end = skipClasses(text, at + 1, letters);
            if (end > at + 1) return end;
        }
        return skipClasses(text, at, letters);
    }
    }
    return at;
}

size_t matchNumber(Characters text, size_t at, const WordRules& rules) {
    const size_t start =
        rules.words == WordRules::Words::Spaced && rules.digits == 0 && isCode(text, at, ' ') ? at + 1 : at;
    size_t end = skipClasses(text, start, C::Number);
    if (rules.digits != 0) end = std::min(end, start + rules.digits);
    return end > start ? end : at;
}

size_t matchPunctuation(Characters text, size_t at, const WordRules& rules) {
    const int others = C::Space | C::Letter | C::Number | (rules.marksInWords ? C::Mark : 0);
    const size_t start = isCode(text, at, ' ') ? at + 1 : at;
    size_t end = skip(text, start, [&](const Character& c) { return !c.is(others); });
    if (end == start) return at;
    using Tail = WordRules::Tail;
    if (rules.punctuationTail == Tail::None) return end;
    const bool slashes = rules.punctuationTail != Tail::Newlines;
    const size_t tail =
        skip(text, end, [&](const Character& c) { return c.is(C::Newline) || (slashes && c.code == '/'); });
    return rules.punctuationTail == Tail::OneNewlineOrSlash ? std::min(tail, end + 1) : tail;
}

constexpr size_t kMostBlanks = 512;

// The largest power of two of blanks that has no word behind it; `end` is where the blanks end, as far as it matters.
size_t matchBlanksByPowers(Characters text, size_t at, size_t end) {
    const size_t most = end < text.size() ? end - at - 1 : end - at; // the last blank before a word stands alone
    for (size_t power = kMostBlanks; power >= 4; power /= 2)
        if (power <= most) return at + power;
    return at + std::max<size_t>(std::min<size_t>(most, 2), 1);
}

// "\s*[\r\n]+" or "[\r\n]" where wanted, then "\s+(?!\S)|\s+".
size_t matchBlanks(Characters text, size_t at, const WordRules& rules) {
    using Newlines = WordRules::Newlines;
    if (rules.newlines == Newlines::Single && text[at].is(C::Newline)) return at + 1;
    // Behind a blank that is no newline a run goes on that was looked through before.
    const bool goesOn = rules.blanksByPowers && at > 0 && text[at - 1].is(C::Space) && !text[at - 1].is(C::Newline);
    const size_t end =
        skipClasses(goesOn ? text.first(std::min(text.size(), at + kMostBlanks + 2)) : text, at, C::Space);
    if (end == at) return at;
    if (rules.newlines == Newlines::Runs) {
        size_t last = end;
        while (last > at && !text[last - 1].is(C::Newline))
            --last;
        if (last > at) return last;
    }
    if (rules.blanksByPowers) return matchBlanksByPowers(text, at, end);
    return end < text.size() && end - at > 1 ? end - 1 : end; // the last blank goes with the word that follows
}

// What \w stands for in the engine that reads the published expressions.
bool isWordCharacter(const Character& c) {
    return c.is(C::Letter | C::Mark | C::Digit) || isOtherWordCode(c.code);
}

bool isFalconPunctuation(const Character& c, std::string_view symbols) {
    return c.is(C::Punctuation) ||
           (c.code != 0 && c.code < 0x80 && symbols.find(static_cast<char>(c.code)) != std::string_view::npos);
}

} // namespace

size_t matchWords(Characters text, size_t at, const WordRules& rules) {
    size_t end = at;
    if (rules.contractions != WordRules::Contractions::None)
        end = endOfContraction(text, at, rules.contractions == WordRules::Contractions::AnyCase);
    if (end == at) end = matchWord(text, at, rules);
    if (end == at) end = matchNumber(text, at, rules);
    if (end == at) end = matchPunctuation(text, at, rules);
    if (end == at) end = matchBlanks(text, at, rules);
    return end;
}

size_t matchDeepSeekWords(Characters text, size_t at, const WordRules& rules) {
    const auto isAsciiLetter = [](const Character& c) {
        return asciiLower(c.code) >= 'a' && asciiLower(c.code) <= 'z';
    };
    const Character& first = text[at];
    if (first.code < 0x80 && first.is(C::Punctuation | C::Symbol)) {
        const size_t end = skip(text, at + 1, isAsciiLetter);
        if (end > at + 1) return end;
    }
    const int letters = C::Letter | C::Mark;
    if (!first.is(C::Newline | C::Letter | C::Punctuation | C::Symbol)) {
        const size_t end = skipClasses(text, at + 1, letters);
        if (end > at + 1) return end;
    }
    if (const size_t end = skipClasses(text, at, letters); end > at) return end;
    const size_t start = first.code == ' ' ? at + 1 : at;
    const size_t end = skipClasses(text, start, C::Punctuation | C::Symbol);
    if (end > start) return rules.punctuationTail == WordRules::Tail::None ? end : skipClasses(text, end, C::Newline);
    return matchBlanks(text, at, rules);
}

size_t matchKimiWords(Characters text, size_t at, const WordRules&) {
    if (const size_t end = skipClasses(text, at, C::Han); end > at) return end;
    if (const size_t end = matchCasedWord(text, at, true, C::Han); end > at) return end;
    constexpr WordRules kRest = {.words = WordRules::Words::Prefixed,
                                 .digits = 3,
                                 .punctuationTail = WordRules::Tail::Newlines,
                                 .newlines = WordRules::Newlines::Runs};
    if (const size_t end = matchNumber(text, at, kRest); end > at) return end;
    if (const size_t end = matchPunctuation(text, at, kRest); end > at) return end;
    return matchBlanks(text, at, kRest);
}

size_t matchNumbers(Characters text, size_t at, const WordRules& rules) {
    const size_t end = skipClasses(text, at, C::Number);
    return rules.digits == 0 ? end : std::min(end, at + rules.digits);
}

size_t matchThreeDigits(Characters text, size_t at, const WordRules&) {
    for (size_t i = at; i < at + 3; ++i)
        if (i >= text.size() || text[i].code < '0' || text[i].code > '9') return at;
    return at + 3;
}

size_t matchWholeDigits(Characters text, size_t at, const WordRules&) {
    if (at > 0 && text[at - 1].is(C::Digit)) return at; // its start did not match
    const size_t end = skipClasses(text, at, C::Digit);
    return end < text.size() && isWordCharacter(text[end]) ? at : end;
}

// Linear in the text: the end of a run is looked for once.
void cutDigitGroups(Characters text, const std::function<void(size_t)>& cut) {
    for (size_t at = 0; at < text.size();) {
        const size_t end = skipClasses(text, at, C::Digit);
        for (size_t group = at + (end - at) % 3; group < end; group += 3)
            if (group > 0) cut(group);
        at = std::max(end, at + 1);
    }
}

size_t matchDigitGroups(Characters text, size_t at, const WordRules&) {
    if (!text.front().is(C::Digit) || !text.back().is(C::Digit)) return at;
    const size_t remainder = (text.size() - at) % 3;
    return at + (remainder == 0 ? 3 : remainder);
}

size_t matchNewline(Characters text, size_t at, const WordRules&) {
    return at + (is(text, at, C::Newline) ? 1 : 0);
}

size_t matchLines(Characters text, size_t at, const WordRules&) {
    const bool newline = isCode(text, at, '\n');
    return skip(text, at, [&](const Character& c) { return (c.code == '\n') == newline; });
}

size_t matchLastBlanks(Characters text, size_t at, const WordRules&) {
    if (!text.back().is(C::Space) || (at > 0 && text[at - 1].is(C::Space))) return at;
    const size_t end = skipClasses(text, at, C::Space);
    return end == text.size() ? end : at;
}

size_t matchNoBlanks(Characters text, size_t at, const WordRules&) {
    return skip(text, at, [](const Character& c) { return !c.is(C::Space); });
}

size_t matchSpacedLetters(Characters text, size_t at, const WordRules&) {
    const size_t start = is(text, at, C::Space) ? at + 1 : at;
    const size_t end = skipClasses(text, start, C::Letter);
    return end > start ? end : at;
}

size_t matchSpacedPunctuation(Characters text, size_t at, const WordRules&) {
    const size_t start = is(text, at, C::Space) ? at + 1 : at;
    const size_t end = skipClasses(text, start, C::Punctuation);
    return end > start ? end : at;
}

size_t matchPunctuationRun(Characters text, size_t at, const WordRules&) {
    return skip(text, at, [](const Character& c) { return isFalconPunctuation(c, "$+<=>^~|"); });
}

size_t matchFalconPunctuation(Characters text, size_t at, const WordRules&) {
    return skip(text, at, [](const Character& c) { return isFalconPunctuation(c, "$+<=>^~|`"); });
}

size_t matchBloomWords(Characters text, size_t at, const WordRules&) {
    const auto isWord = [](const Character& c) {
        if (c.is(C::Space)) return false;
        constexpr uint32_t kStops[] = {'(',    '|',    '.',    ',',    '!',    '?',    ')',
                                       0x2026, 0x3002, 0xFF0C, 0x3001, 0x0964, 0x06D4, 0x060C};
        return std::find(std::begin(kStops), std::end(kStops), c.code) == std::end(kStops);
    };
    const size_t start = isCode(text, at, ' ') ? at + 1 : at;
    const size_t end = skip(text, start, isWord);
    return end > start ? end : at;
}

} // namespace steelyard
