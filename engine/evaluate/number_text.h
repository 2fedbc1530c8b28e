// Numbers in the texts of reports: with points for decimals, whatever the language of the system. Knows nothing of reports.
#pragma once

#include <charconv>
#include <cmath>
#include <string>

namespace steelyard {

inline std::string fixedText(double value, int digits) {
    char text[400]; // the largest double has 309 digits
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits);
    return end.ec == std::errc() ? std::string(text, end.ptr) : std::string();
}

// The shortest text that reads back as the same number; empty for none.
inline std::string exactText(double value) {
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, value);
    return std::isfinite(value) ? std::string(text, end.ptr) : std::string();
}

} // namespace steelyard
