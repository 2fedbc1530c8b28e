// IQ2_S (layout: kernels/quant/iq2_s.cuh): the nearest entries of its grid, with any signs.
#pragma once

#include "engine/quant/encoders/grid_search.h"

#include "kernels/quant/iq2_s.cuh"

namespace {

struct LayoutIq2S {
    using Format = steelyard::kernels::IQ2_S;
    static constexpr uint32_t trials = 3, groupValues = 16;
    static constexpr bool evenSigns = false;
    static constexpr float largestCode = 43.0f, lowestTrial = 0.66f, highestTrial = 1.15f;

    static void write(uint8_t* block, const uint32_t* levels, const UnitChoice* units) {
        for (uint32_t unit = 0; unit < 32; ++unit) {
            const uint32_t entry = units[unit].entries[0];
            block[2 + unit] = static_cast<uint8_t>(entry & 255u);
            block[34 + unit] = static_cast<uint8_t>(units[unit].signs);
            block[66 + unit / 4] = static_cast<uint8_t>(block[66 + unit / 4] | entry >> 8 << unit % 4 * 2);
        }
        writeNibbles(block + 74, levels, 16);
    }
};

void encodeIQ2_S(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    GridEncoder<LayoutIq2S>::encode(values, importance, count, bytes);
}

} // namespace
