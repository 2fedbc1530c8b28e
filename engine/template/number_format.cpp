#include "engine/template/number_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace steelyard::jinja {

namespace {

// More digits say nothing about a double.
constexpr int kMostPrecision = 400;

std::string signOf(bool negative, const NumberFormat& format) {
    return negative ? "-" : format.plus ? "+" : format.blank ? " " : "";
}

// Separators between groups of digits, counted from the point to the left.
std::string grouped(const std::string& digits, char separator, size_t group) {
    if (separator == '\0') return digits;
    const size_t end = std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
    std::string result;
    for (size_t i = 0; i < end; ++i) {
        if (i > 0 && (end - i) % group == 0) result += separator;
        result += digits[i];
    }
    return result + digits.substr(end);
}

} // namespace

std::string formatInteger(int64_t value, int base, bool upper, const NumberFormat& format) {
    char buffer[72];
    const uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, magnitude, base).ptr;
    std::string digits(buffer, end);
    if (upper)
        std::transform(digits.begin(), digits.end(), digits.begin(),
                       [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    const int wanted = std::min(format.precision, kMostPrecision);
    if (static_cast<int>(digits.size()) < wanted) digits.insert(0, static_cast<size_t>(wanted) - digits.size(), '0');
    digits = grouped(digits, format.grouping, base == 10 ? 3 : 4);
    const char* prefix = !format.alternate ? ""
                         : base == 16      ? (upper ? "0X" : "0x")
                         : base == 8       ? "0o"
                         : base == 2       ? "0b"
                                           : "";
    return signOf(value < 0, format) + prefix + digits;
}

std::string formatFloat(double value, char kind, const NumberFormat& format) {
    const bool upper = kind >= 'A' && kind <= 'Z';
    std::string digits;
    if (std::isnan(value) || std::isinf(value)) {
        digits = std::isnan(value) ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf");
    } else {
        const int precision = std::min(format.precision < 0 ? 6 : format.precision, kMostPrecision);
        const char pattern[] = {'%', format.alternate ? '#' : '-', '.', '*', kind, '\0'};
        const int size = std::snprintf(nullptr, 0, pattern, precision, std::fabs(value));
        digits.resize(static_cast<size_t>(std::max(size, 0)) + 1);
        std::snprintf(digits.data(), digits.size(), pattern, precision, std::fabs(value));
        digits.pop_back();
    }
    return signOf(std::signbit(value) && !std::isnan(value), format) + grouped(digits, format.grouping, 3);
}

} // namespace steelyard::jinja
