// IQ2_XXS (layout: kernels/quant/iq2_xxs.cuh): the nearest entries of its grid, with an even number of negative signs.
#pragma once

#include "engine/quant/encoders/grid_search.h"

#include "kernels/quant/iq2_xxs.cuh"

namespace {

struct LayoutIq2Xxs {
    using Format = steelyard::kernels::IQ2_XXS;
    static constexpr uint32_t trials = 3, groupValues = 32;
    static constexpr bool evenSigns = true;
    static constexpr float largestCode = 43.0f, lowestTrial = 0.58f, highestTrial = 1.08f;

    static void write(uint8_t* block, const uint32_t* levels, const UnitChoice* units) {
        for (uint32_t group = 0; group < 8; ++group, units += 4) {
            uint8_t* bytes = block + 2 + group * 8;
            for (uint32_t unit = 0; unit < 4; ++unit) bytes[unit] = static_cast<uint8_t>(units[unit].entries[0]);
            writeU32(bytes + 4, levels[group] << 28 | sevenSigns(units));
        }
    }
};

void encodeIQ2_XXS(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    GridEncoder<LayoutIq2Xxs>::encode(values, importance, count, bytes);
}

} // namespace
