// Whether pages are worth carrying to another place and back, by predicted time. No tensors.
#pragma once

#include <cstdint>

namespace steelyard {

struct MoveCost {
    uint32_t tokens = 0;      // that need not be read then
    uint64_t bytes = 0;       // to copy, on all ways together
    double msPerToken = 0;    // of reading; 0 = nobody knows yet
    double bytesPerMs = 0;    // of copying
};

// Below so many tokens nothing is carried: reading them again is not noticed.
constexpr uint32_t kFewestTokensMoved = 32;

// Carried when copying takes less time than reading the tokens again.
inline bool worthMoving(const MoveCost& cost) {
    if (cost.tokens < kFewestTokensMoved) return false;
    if (cost.msPerToken <= 0) return true;
    return static_cast<double>(cost.bytes) / cost.bytesPerMs < cost.tokens * cost.msPerToken;
}

} // namespace steelyard
