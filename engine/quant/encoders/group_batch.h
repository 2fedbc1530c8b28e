// Sixteen groups of values side by side, the way in which encoders search for scales: a vector's lanes are groups, so that
// every sum runs within its lane.
//
// Invariant: what is found for a group depends on that group's block alone, and is the same bits for every instruction set:
// lanes never mix, sums are chains in the order of the values, and these units are compiled without fused products. All is
// in an unnamed namespace: included only by the units of one instruction set (vector_*.cpp), after its vector header
// (engine/backend/cpu/simd_*.h).
#pragma once

#include "engine/quant/encoders/block_weights.h"

#include <cstring>

namespace {

constexpr uint32_t kGroups = 16; // of a batch

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

    // Up to kValues values, whole blocks; zeros stand for the rest.
    void load(const float* source, const float* importance, uint64_t count) {
        float rowWeights[kValues];
        for (uint32_t block = 0; block < kBlocks; ++block) {
            const uint32_t first = block * kBlockValues;
            const bool absent = first >= count;
            unit[block] = normalizeBlock<kBlockValues, Weights::ByColumn>(
                absent ? nullptr : source + first, absent || !importance ? nullptr : importance + first, rows + first, rowWeights + first);
        }
        for (uint32_t group = 0; group < kGroups; group += Simd::kLanes)
            for (uint32_t i = 0; i < Group; i += Simd::kLanes) {
                Simd::transpose(rows + group * Group + i, Group, values + i * kGroups + group, kGroups);
                Simd::transpose(rowWeights + group * Group + i, Group, weights + i * kGroups + group, kGroups);
            }
    }

    // The stored form of a factor of this block's values, and what it stands for there.
    uint16_t stored(uint32_t block, float factor) const { return storedHalf(factor, unit[block]); }
    float readBack(uint32_t block, uint16_t half) const { return steelyard::kernels::halfToFloat(half) / unit[block]; }
};

} // namespace
