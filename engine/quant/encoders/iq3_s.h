// IQ3_S (layout: kernels/quant/iq3_s.cuh): the nearest entries of its grid, with any signs.
#pragma once

#include "engine/quant/encoders/grid_search.h"

#include "kernels/quant/iq3_s.cuh"

namespace {

struct LayoutIq3S {
    using Format = steelyard::kernels::IQ3_S;
    static constexpr uint32_t trials = 5, groupValues = 32;
    static constexpr bool evenSigns = false;
    static constexpr float largestCode = 15.0f, lowestTrial = 0.82f, highestTrial = 1.25f;

    static void write(uint8_t* block, const uint32_t* levels, const UnitChoice* units) {
        for (uint32_t unit = 0; unit < 32; ++unit) {
            for (uint32_t half = 0; half < 2; ++half) {
                const uint32_t entry = units[unit].entries[half], run = unit * 2 + half;
                block[2 + run] = static_cast<uint8_t>(entry & 255u);
                block[66 + run / 8] = static_cast<uint8_t>(block[66 + run / 8] | entry >> 8 << run % 8);
            }
            block[74 + unit] = static_cast<uint8_t>(units[unit].signs);
        }
        writeNibbles(block + 106, levels, 8);
    }
};

void encodeIQ3_S(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    GridEncoder<LayoutIq3S>::encode(values, importance, count, bytes);
}

} // namespace
