// A block's values as the searches see them, and how much an error in each counts.
//
// Values are divided by a power of two of their block's largest magnitude and importance by its mean, so that no square runs
// over or under. A value's weight is what its column counts, and one where nothing is known of columns: that gives the least
// divergence from the original. Where codes are so few that most of a block would otherwise outvote its large values, the
// weight is that times sqrt(sigma^2 + value^2), with the block's mean square sigma^2. The same bits for every instruction set.
// All is in an unnamed namespace: included only by the units of one instruction set (vector_*.cpp), after its vector header.
#pragma once

#include "kernels/device/half.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace {

using Floats = Simd::Floats;

constexpr float kTiny = 1e-30f, kLargestHalf = 65504.0f;
constexpr float kUnseen = 1e-3f; // what a column that the importance gives nothing still counts

// The stored form of a factor of a block's values, which were divided by `unit`.
inline uint16_t storedHalf(float factor, float unit) {
    return steelyard::kernels::floatToHalf(std::clamp(factor * unit, -kLargestHalf, kLargestHalf));
}

// The mean of values or of their squares, in an order that no instruction set changes.
template <uint32_t Count, bool Squares>
float meanOf(const float* p) {
    float sums[16] = {};
    for (uint32_t i = 0; i < Count; i += 16)
        for (uint32_t j = 0; j < 16; ++j) sums[j] += Squares ? p[i + j] * p[i + j] : p[i + j];
    float sum = 0.0f;
    for (const float part : sums) sum += part;
    return sum / static_cast<float>(Count);
}

inline float powerBelow(float value) {
    const uint32_t exponent = steelyard::kernels::floatToBits(value) & 0x7F800000u;
    return exponent == 0 ? 1.17549435e-38f : steelyard::kernels::bitsToFloat(exponent);
}

enum class Weights { ByColumn, BySizeToo };

// One block: its values divided by what is returned, and their weights. Zeros where `source` is null.
template <uint32_t Count, Weights Kind>
float normalizeBlock(const float* source, const float* importance, float* values, float* weights) {
    constexpr uint32_t kLanes = Simd::kLanes;
    Floats most = Simd::zero();
    for (uint32_t i = 0; source && i < Count; i += kLanes) most = Simd::max(most, Simd::abs(Simd::load(source + i)));
    const float unit = powerBelow(Simd::largest(most));
    const Floats inverse = Simd::set1(1.0f / unit);
    for (uint32_t i = 0; i < Count; i += kLanes) Simd::store(values + i, source ? Simd::mul(Simd::load(source + i), inverse) : Simd::zero());
    std::fill(weights, weights + Count, 1.0f);
    if constexpr (Kind == Weights::BySizeToo) {
        const float variance = meanOf<Count, true>(values) + kTiny;
        for (uint32_t i = 0; i < Count; ++i) weights[i] = std::sqrt(variance + values[i] * values[i]);
    }
    if (const float mean = importance ? meanOf<Count, false>(importance) : 0.0f; mean > 0.0f)
        for (uint32_t i = 0; i < Count; ++i) weights[i] *= importance[i] / mean + kUnseen;
    return unit;
}

} // namespace
