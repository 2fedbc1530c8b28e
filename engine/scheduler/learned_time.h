// A time that is learned from measurements: it follows shorter ones faster than longer ones, for work is sometimes slow for no reason
// of its own, never fast.
#pragma once

namespace steelyard {

// Moves `known` towards `value`, both in milliseconds; what is not known yet (0) becomes the value.
inline void learnTime(double& known, double value) {
    constexpr double kLess = 0.5, kMore = 0.2; // weight of a new measurement
    known = known > 0 ? known + (value < known ? kLess : kMore) * (value - known) : value;
}

} // namespace steelyard
