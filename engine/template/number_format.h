// Numbers as text by the format specifications of Python ('%05.2f', '{:>10,d}'). Knows nothing of templates.
#pragma once

#include <cstdint>
#include <string>

namespace steelyard::jinja {

struct NumberFormat {
    bool plus = false, blank = false, zeros = false, alternate = false;
    char grouping = '\0'; // ',' or '_'
    int precision = -1;
};

// The digits of an integer with sign and prefix; base 2, 8, 10 or 16.
std::string formatInteger(int64_t value, int base, bool upper, const NumberFormat& format);

// A float by 'e', 'f', 'g' or their capitals; precision 6 where none is given.
std::string formatFloat(double value, char kind, const NumberFormat& format);

} // namespace steelyard::jinja
