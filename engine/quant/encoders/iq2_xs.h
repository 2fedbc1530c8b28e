// IQ2_XS (layout: kernels/quant/iq2_xs.cuh): the nearest entries of its grid, with an even number of negative signs.
#pragma once

#include "engine/quant/encoders/grid_search.h"

#include "kernels/quant/iq2_xs.cuh"

namespace {

struct LayoutIq2Xs {
    using Format = steelyard::kernels::IQ2_XS;
    static constexpr uint32_t trials = 3, groupValues = 16;
    static constexpr bool evenSigns = true;
    static constexpr float largestCode = 43.0f, lowestTrial = 0.64f, highestTrial = 1.2f;

    static void write(uint8_t* block, const uint32_t* levels, const UnitChoice* units) {
        for (uint32_t unit = 0; unit < 32; ++unit)
            steelyard::kernels::writeU16(block + 2 + unit * 2, static_cast<uint16_t>(units[unit].entries[0] | (units[unit].signs & 127u) << 9));
        writeNibbles(block + 66, levels, 16);
    }
};

void encodeIQ2_XS(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    GridEncoder<LayoutIq2Xs>::encode(values, importance, count, bytes);
}

} // namespace
