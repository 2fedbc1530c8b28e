#include "engine/core/bytes_text.h"

#include <cstdio>

namespace steelyard {

std::string bytesText(uint64_t bytes) {
    static constexpr const char* kUnits[] = {"bytes", "kB", "MB", "GB", "TB"};
    double value = static_cast<double>(bytes);
    int unit = 0;
    while (value >= 1000 && unit < 4) {
        value /= 1000;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text, unit >= 3 ? "%.1f %s" : "%.0f %s", value, kUnits[unit]);
    return text;
}

} // namespace steelyard
