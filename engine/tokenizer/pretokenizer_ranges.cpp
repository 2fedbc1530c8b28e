// Scanners for expressions that list code points: scripts, letters with case, wide punctuation.
#include "engine/tokenizer/pretokenizer_stages.h"

#include <algorithm>
#include <string_view>

namespace steelyard {

namespace {

struct CodeRange {
    uint32_t from, to;
};
using Ranges = std::span<const CodeRange>; // sorted

constexpr CodeRange kCjk[] = {{0x3040, 0x30FF}, {0x4E00, 0x9FA5}};
constexpr CodeRange kWideCjk[] = {{0x0800, 0x9FA5}, {0xAC00, 0xD7FF}};
constexpr CodeRange kHangul[] = {{0x3131, 0x318E}, {0xAC00, 0xD7A3}};
constexpr CodeRange kBopomofo[] = {{0x3105, 0x312F}};
constexpr CodeRange kEastAsianPunctuation[] = {{0x2014, 0x2014}, {0x2018, 0x2019}, {0x201C, 0x201D},
                                               {0x2026, 0x2026}, {0x3001, 0x303F}, {0xFE30, 0xFE4F},
                                               {0xFF01, 0xFF01}, {0xFF0C, 0xFF0C}, {0xFF1A, 0xFF1B}};
constexpr CodeRange kAsianScripts[] = {
    {0x0E40, 0x0EFF}, {0x1000, 0x109F}, {0x1100, 0x11FF}, {0x1780, 0x17FF}, {0x2F00, 0x2FDF},
    {0x3040, 0x30FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xA9E0, 0xA9FF}, {0xAA60, 0xAA7F},
    {0xAC00, 0xD7AF}, {0xF900, 0xFAFF}, {0xFF65, 0xFF9F},
};
constexpr CodeRange kWidePunctuation[] = {{0x21, 0x2F},     {0x3A, 0x7E},     {0x2018, 0x201F},
                                          {0x3000, 0x3002}, {0xFF01, 0xFF0F}, {0xFF1A, 0xFF5E}};
// Connecting punctuation, letters that are numbers, letters in circles and squares, and six numbers of Latin-1.
constexpr CodeRange kOtherWords[] = {
    {0x5F, 0x5F},       {0xB2, 0xB3},       {0xB9, 0xB9},       {0xBC, 0xBE},       {0x16EE, 0x16F0},
    {0x203F, 0x2040},   {0x2054, 0x2054},   {0x2160, 0x2182},   {0x2185, 0x2188},   {0x24B6, 0x24E9},
    {0x3007, 0x3007},   {0x3021, 0x3029},   {0x3038, 0x303A},   {0xA6E6, 0xA6EF},   {0xFE33, 0xFE34},
    {0xFE4D, 0xFE4F},   {0xFF3F, 0xFF3F},   {0x10140, 0x10174}, {0x10341, 0x10341}, {0x1034A, 0x1034A},
    {0x103D1, 0x103D5}, {0x12400, 0x1246E}, {0x1F130, 0x1F149}, {0x1F150, 0x1F169}, {0x1F170, 0x1F189}};
// The letters with case of DeepSeek's first models, as their expression lists them.
constexpr CodeRange kCasedLetters[] = {
    {0x41, 0x5A},       {0x61, 0x7A},       {0xB5, 0xB5},       {0xC0, 0xD6},       {0xD8, 0xF6},
    {0xF8, 0x1BA},      {0x1BC, 0x1BF},     {0x1C4, 0x293},     {0x295, 0x2AF},     {0x370, 0x373},
    {0x376, 0x377},     {0x37B, 0x37D},     {0x37F, 0x37F},     {0x386, 0x386},     {0x388, 0x38A},
    {0x38C, 0x38C},     {0x38E, 0x3A1},     {0x3A3, 0x3F5},     {0x3F7, 0x481},     {0x48A, 0x52F},
    {0x531, 0x556},     {0x10A0, 0x10C5},   {0x13A0, 0x13F5},   {0x13F8, 0x13FD},   {0x1C90, 0x1CBA},
    {0x1CBD, 0x1CBF},   {0x1D00, 0x1D2B},   {0x1D6B, 0x1D77},   {0x1D79, 0x1D9A},   {0x1E00, 0x1F15},
    {0x1F18, 0x1F1D},   {0x1F20, 0x1F45},   {0x1F48, 0x1F4D},   {0x1F50, 0x1F57},   {0x1F59, 0x1F59},
    {0x1F5B, 0x1F5B},   {0x1F5D, 0x1F5D},   {0x1F5F, 0x1F7D},   {0x1F80, 0x1FB4},   {0x1FB6, 0x1FBC},
    {0x1FBE, 0x1FBE},   {0x1FC2, 0x1FC4},   {0x1FC6, 0x1FCC},   {0x1FD0, 0x1FD3},   {0x1FD6, 0x1FDB},
    {0x1FE0, 0x1FEC},   {0x1FF2, 0x1FF4},   {0x1FF6, 0x1FFC},   {0x2102, 0x2102},   {0x2107, 0x2107},
    {0x210A, 0x2113},   {0x2115, 0x2115},   {0x2119, 0x211D},   {0x2124, 0x2124},   {0x2126, 0x2126},
    {0x2128, 0x2128},   {0x212A, 0x212D},   {0x212F, 0x2134},   {0x2139, 0x2139},   {0x213C, 0x213F},
    {0x2145, 0x2149},   {0x214E, 0x214E},   {0x2183, 0x2184},   {0x2C00, 0x2C7B},   {0x2C7E, 0x2CE4},
    {0x2CEB, 0x2CEE},   {0x2CF2, 0x2CF3},   {0xA640, 0xA66D},   {0xA680, 0xA69B},   {0xA722, 0xA76F},
    {0xA771, 0xA787},   {0xA78B, 0xA78E},   {0xAB70, 0xABBF},   {0xFB00, 0xFB06},   {0xFB13, 0xFB17},
    {0xFF21, 0xFF3A},   {0xFF41, 0xFF5A},   {0x10400, 0x1044F}, {0x104B0, 0x104D3}, {0x104D8, 0x104FB},
    {0x10C80, 0x10CB2}, {0x10CC0, 0x10CF2}, {0x118A0, 0x118DF}, {0x1E900, 0x1E943}};

bool isIn(Ranges ranges, uint32_t code) {
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), code,
                                        [](uint32_t c, const CodeRange& range) { return c < range.from; });
    return after != ranges.begin() && code <= (after - 1)->to;
}

size_t skipRanges(Characters text, size_t at, Ranges ranges) {
    while (at < text.size() && isIn(ranges, text[at].code))
        ++at;
    return at;
}

// A blank where there is one, and then at least one of the ranges.
size_t matchSpacedRanges(Characters text, size_t at, Ranges ranges) {
    const size_t start = text[at].is(Character::Space) ? at + 1 : at;
    const size_t end = skipRanges(text, start, ranges);
    if (end > start) return end;
    return skipRanges(text, at, ranges); // a blank that is itself in the ranges
}

bool standsAt(Characters text, size_t at, std::string_view ascii) {
    if (text.size() - at < ascii.size()) return false;
    return std::equal(ascii.begin(), ascii.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char c, const Character& character) { return character.code == static_cast<uint32_t>(c); });
}

} // namespace

bool isOtherWordCode(uint32_t code) {
    return isIn(kOtherWords, code);
}

size_t matchCjk(Characters text, size_t at, const WordRules&) {
    return skipRanges(text, at, kCjk);
}

size_t matchWideCjk(Characters text, size_t at, const WordRules&) {
    return skipRanges(text, at, kWideCjk);
}

size_t matchAsianScripts(Characters text, size_t at, const WordRules&) {
    return skipRanges(text, at, kAsianScripts);
}

size_t matchEastAsianRuns(Characters text, size_t at, const WordRules&) {
    for (const Ranges ranges : {Ranges(kHangul), Ranges(kEastAsianPunctuation), Ranges(kBopomofo), Ranges(kCjk)})
        if (const size_t end = skipRanges(text, at, ranges); end > at) return end;
    return at;
}

size_t matchSpacedCasedLetters(Characters text, size_t at, const WordRules&) {
    return matchSpacedRanges(text, at, kCasedLetters);
}

size_t matchSpacedWidePunctuation(Characters text, size_t at, const WordRules&) {
    return matchSpacedRanges(text, at, kWidePunctuation);
}

// "<sentinel:[0-9]+>|IMGIMG[A-I]{1,4}Z".
size_t matchImageTokens(Characters text, size_t at, const WordRules&) {
    constexpr std::string_view kSentinel = "<sentinel:", kImage = "IMGIMG";
    if (standsAt(text, at, kSentinel)) {
        size_t end = at + kSentinel.size();
        const size_t digits = end;
        while (end < text.size() && text[end].code >= '0' && text[end].code <= '9')
            ++end;
        return end > digits && standsAt(text, end, ">") ? end + 1 : at;
    }
    if (!standsAt(text, at, kImage)) return at;
    const size_t letters = at + kImage.size();
    size_t end = letters;
    while (end < text.size() && end < letters + 4 && text[end].code >= 'A' && text[end].code <= 'I')
        ++end;
    return end > letters && standsAt(text, end, "Z") ? end + 1 : at;
}

// "[\t\n]|    |  ".
size_t matchShortBlanks(Characters text, size_t at, const WordRules&) {
    if (standsAt(text, at, "\t") || standsAt(text, at, "\n")) return at + 1;
    return standsAt(text, at, "    ") ? at + 4 : standsAt(text, at, "  ") ? at + 2 : at;
}

size_t matchOnePunctuation(Characters text, size_t at, const WordRules&) {
    const Character& c = text[at];
    const bool asciiSymbol = c.code < 0x80 && c.is(Character::Symbol);
    return c.is(Character::Punctuation) || asciiSymbol ? at + 1 : at;
}

} // namespace steelyard
