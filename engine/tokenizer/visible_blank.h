// SentencePiece vocabularies write the blank as U+2581.
#pragma once

#include <string>
#include <string_view>

namespace steelyard {

constexpr std::string_view kVisibleBlank = "\xE2\x96\x81";

inline std::string withVisibleBlanks(std::string_view text) {
    std::string result;
    result.reserve(text.size() + text.size() / 4);
    for (const char c : text) {
        if (c == ' ')
            result += kVisibleBlank;
        else
            result += c;
    }
    return result;
}

inline std::string withPlainBlanks(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (size_t i = 0; i < text.size();) {
        const bool blank = text.substr(i, kVisibleBlank.size()) == kVisibleBlank;
        result += blank ? ' ' : text[i];
        i += blank ? kVisibleBlank.size() : 1;
    }
    return result;
}

} // namespace steelyard
