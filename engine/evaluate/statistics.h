// Means with their errors, as the reports of an evaluation give them. Knows nothing of what is measured.
#pragma once

#include "engine/core/percentile.h"
#include "engine/core/result.h"

#include <cmath>
#include <string>
#include <vector>

namespace steelyard {

struct Mean {
    double mean = 0, deviation = 0, error = 0; // deviation: of the values; error: of the mean, deviation / sqrt(count)
};

inline Mean meanOf(const std::vector<float>& values) {
    Mean result;
    const auto count = static_cast<double>(values.size());
    if (values.empty()) return result;
    for (const float value : values) result.mean += value;
    result.mean /= count;
    if (values.size() < 2) return result;
    double squares = 0;
    for (const float value : values) squares += (value - result.mean) * (value - result.mean);
    result.deviation = std::sqrt(squares / (count - 1));
    result.error = result.deviation / std::sqrt(count);
    return result;
}

// Why two models' logits cannot be held against each other.
inline Error differentSizes(size_t tokens, size_t referenceTokens) {
    return {"The vocabularies have different sizes: " + std::to_string(tokens) + " tokens, and the reference's " + std::to_string(referenceTokens) + "."};
}

inline Error noNumbers() {
    return {"The model gives logits that are no numbers, so that nothing can be measured: its file is damaged, or the device's arithmetic overflows."};
}

} // namespace steelyard
