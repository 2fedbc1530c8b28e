// The search for the scale of each group of a batch where scales are few: each of some candidates is tried, and that of the
// least error kept. For scale s and codes q of values x the error is less than that of zeros by s (2 sum(w x q) - s sum(w q^2)).
#pragma once

#include "engine/quant/encoders/bit_packing.h"
#include "engine/quant/encoders/book_numbers.h"

namespace {

template <uint32_t Group, uint32_t BlockGroups>
struct Float4Search {
    using Batch = GroupBatch<Group, BlockGroups>;

    Batch batch;
    float scales[kGroups], gains[kGroups]; // the best of those tried
    uint8_t numbers[kGroups];              // under which they are stored

    void reset() {
        std::fill(scales, scales + kGroups, 0.0f);
        std::fill(gains, gains + kGroups, 0.0f);
        std::fill(numbers, numbers + kGroups, uint8_t(0));
    }

    // Tries a scale for each group.
    void take(const float* tried, const uint8_t* triedNumbers) {
        float reached[kGroups];
        forLanes([&](uint32_t lane) {
            const Floats scale = Simd::load(tried + lane), inverse = inverseOrZero(scale);
            Floats qq = Simd::zero(), qx = Simd::zero();
            for (uint32_t i = 0; i < Group; ++i) {
                const Floats value = Simd::load(batch.values + i * kGroups + lane), number = Float4Numbers::nearest(Simd::mul(value, inverse));
                const Floats weighted = Simd::mul(Simd::load(batch.weights + i * kGroups + lane), number);
                qq = Simd::add(qq, Simd::mul(weighted, number));
                qx = Simd::add(qx, Simd::mul(weighted, value));
            }
            Simd::store(reached + lane, Simd::mul(scale, Simd::sub(Simd::add(qx, qx), Simd::mul(scale, qq))));
        });
        for (uint32_t group = 0; group < kGroups; ++group) {
            if (!(reached[group] > gains[group])) continue;
            gains[group] = reached[group];
            scales[group] = tried[group];
            numbers[group] = triedNumbers[group];
        }
    }

    // The codes of the best scales, [kGroups, Group].
    void writeCodes(uint8_t* codes) const {
        for (uint32_t group = 0; group < kGroups; ++group) {
            const Floats inverse = inverseOrZero(Simd::set1(scales[group]));
            for (uint32_t i = group * Group; i < (group + 1) * Group; i += Simd::kLanes)
                putCodes(Float4Numbers::codeOf(Simd::mul(Simd::load(batch.rows + i), inverse)), codes + i);
        }
    }
};

} // namespace
