// Percentiles of measured values. Knows nothing of what was measured.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace steelyard {

// The value below which a share of the values lies, between two of them in proportion; 0 of no values.
template <class Number>
double percentile(std::vector<Number> values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<size_t>(place);
    const double rest = place - static_cast<double>(below);
    return (1 - rest) * static_cast<double>(values[below]) + rest * static_cast<double>(values[std::min(below + 1, values.size() - 1)]);
}

template <class Number>
double median(std::vector<Number> values) {
    return percentile(std::move(values), 0.5);
}

} // namespace steelyard
