// IQ3_XXS (layout: kernels/quant/iq3_xxs.cuh): the nearest entries of its grid, with an even number of negative signs.
#pragma once

#include "engine/quant/encoders/grid_search.h"

#include "kernels/quant/iq3_xxs.cuh"

namespace {

struct LayoutIq3Xxs {
    using Format = steelyard::kernels::IQ3_XXS;
    static constexpr uint32_t trials = 5, groupValues = 32;
    static constexpr bool evenSigns = true;
    static constexpr float largestCode = 62.0f, lowestTrial = 0.75f, highestTrial = 1.2f;

    static void write(uint8_t* block, const uint32_t* levels, const UnitChoice* units) {
        for (uint32_t unit = 0; unit < 32; ++unit)
            for (uint32_t half = 0; half < 2; ++half) block[2 + unit * 2 + half] = static_cast<uint8_t>(units[unit].entries[half]);
        for (uint32_t group = 0; group < 8; ++group, units += 4)
            writeU32(block + 66 + group * 4, levels[group] << 28 | sevenSigns(units));
    }
};

void encodeIQ3_XXS(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    GridEncoder<LayoutIq3Xxs>::encode(values, importance, count, bytes);
}

} // namespace
