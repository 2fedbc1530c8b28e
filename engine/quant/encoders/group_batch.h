// Sixteen groups of values side by side, the way in which encoders search for scales: a vector's lanes are groups, so that
// every sum runs within its lane.
//
// Invariant: what is found for a group depends on that group's block alone, and is the same bits for every instruction set:
// lanes never mix, sums are chains in the order of the values, and these units are compiled without fused products. Values
// are divided by a power of two of their block's largest magnitude and weights by their mean, so that no square runs over or
// under. All is in an unnamed namespace: included only by the units of one instruction set (vector_*.cpp), after its vector
// header (engine/backend/cpu/simd_*.h).
#pragma once

#include "kernels/device/half.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

using Floats = Simd::Floats;

constexpr uint32_t kGroups = 16; // of a batch
constexpr float kTiny = 1e-30f, kLargestHalf = 65504.0f;

// Calls each(first lane of a vector).
template <class Each>
void forLanes(Each&& each) {
    for (uint32_t lane = 0; lane < kGroups; lane += Simd::kLanes) each(lane);
}

inline Floats clamped(Floats v, float least, float most) { return Simd::min(Simd::max(v, Simd::set1(least)), Simd::set1(most)); }
inline Floats inverseOrZero(Floats v) { // 1 / v, and 0 for 0
    const Floats size = Simd::abs(v), zero = Simd::zero();
    return Simd::selectLess(zero, size, Simd::div(Simd::set1(1.0f), Simd::selectLess(zero, size, v, Simd::set1(1.0f))), zero);
}

// `Group` values to a group, `BlockGroups` groups to a block of the format.
template <uint32_t Group, uint32_t BlockGroups>
struct GroupBatch {
    static constexpr uint32_t kValues = Group * kGroups, kBlockValues = Group * BlockGroups, kBlocks = kGroups / BlockGroups;

    float values[kValues], weights[kValues]; // [Group, kGroups]
    float rows[kValues];                     // [kGroups, Group], the same values
    float unit[kBlocks];                     // what a block's values were divided by

    // Up to kValues values, whole blocks; zeros stand for the rest. A value's weight is what its column counts times
    // sqrt(sigma^2 + value^2), with the block's mean square sigma^2: large values matter more to what a matrix does.
    void load(const float* source, const float* importance, uint64_t count) {
        float rowWeights[kValues];
        for (uint32_t block = 0; block < kBlocks; ++block) {
            const uint32_t first = block * kBlockValues;
            const bool absent = first >= count;
            loadBlock(absent ? nullptr : source + first, absent || !importance ? nullptr : importance + first, block, rowWeights + first);
        }
        for (uint32_t group = 0; group < kGroups; group += Simd::kLanes)
            for (uint32_t i = 0; i < Group; i += Simd::kLanes) {
                Simd::transpose(rows + group * Group + i, Group, values + i * kGroups + group, kGroups);
                Simd::transpose(rowWeights + group * Group + i, Group, weights + i * kGroups + group, kGroups);
            }
    }

    // The stored form of a factor of this block's values, and what it stands for there.
    uint16_t stored(uint32_t block, float factor) const {
        return steelyard::kernels::floatToHalf(std::clamp(factor * unit[block], -kLargestHalf, kLargestHalf));
    }
    float readBack(uint32_t block, uint16_t half) const { return steelyard::kernels::halfToFloat(half) / unit[block]; }

private:
    void loadBlock(const float* source, const float* importance, uint32_t block, float* rowWeights) {
        constexpr uint32_t kLanes = Simd::kLanes;
        float* row = rows + block * kBlockValues;
        Floats most = Simd::zero();
        for (uint32_t i = 0; source && i < kBlockValues; i += kLanes) most = Simd::max(most, Simd::abs(Simd::load(source + i)));
        unit[block] = powerBelow(Simd::largest(most));
        const Floats inverse = Simd::set1(1.0f / unit[block]);
        for (uint32_t i = 0; i < kBlockValues; i += kLanes) Simd::store(row + i, source ? Simd::mul(Simd::load(source + i), inverse) : Simd::zero());
        const float variance = meanOf<true>(row) + kTiny, mean = importance ? meanOf<false>(importance) : 0.0f;
        for (uint32_t i = 0; i < kBlockValues; ++i) rowWeights[i] = std::sqrt(variance + row[i] * row[i]);
        if (!(mean > 0.0f)) return;
        for (uint32_t i = 0; i < kBlockValues; ++i) rowWeights[i] *= importance[i] / mean + kUnseen;
    }

    // Of the values or their squares, in an order that no instruction set changes.
    template <bool Squares>
    static float meanOf(const float* p) {
        float sums[16] = {};
        for (uint32_t i = 0; i < kBlockValues; i += 16)
            for (uint32_t j = 0; j < 16; ++j) sums[j] += Squares ? p[i + j] * p[i + j] : p[i + j];
        float sum = 0.0f;
        for (const float part : sums) sum += part;
        return sum / static_cast<float>(kBlockValues);
    }

    static float powerBelow(float value) {
        const uint32_t exponent = steelyard::kernels::floatToBits(value) & 0x7F800000u;
        return exponent == 0 ? 1.17549435e-38f : steelyard::kernels::bitsToFloat(exponent);
    }

    static constexpr float kUnseen = 1e-3f; // what a column that the importance gives nothing still counts
};

} // namespace
