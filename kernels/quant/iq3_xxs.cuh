// IQ3_XXS: 256 values in 98 bytes, eight groups of 32. value = scale * (2 * s[g] + 1) / 4 * code, codes from a grid (grid.h).
//   0..1    half   scale
//   2..65   the grid's entries, a byte for 4 values
//   66..97  u32 for each group: four times 7 bits of signs (the eighth sign makes their number even), and s in the top 4 bits
#pragma once

#include "kernels/quant/grid.h"

namespace steelyard::kernels {

struct IQ3_XXS {
    static constexpr uint32_t typeId = 18, blockValues = 256, blockBytes = 98;
    static constexpr ProductClass productClass = ProductClass::Scale32;
    static constexpr float step = 0.25f;
    using Grid = GridIq3Xxs;
    static constexpr bool hasSigns = true;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        unpackGrid<IQ3_XXS>(block, part, out);
        out.setScales(groupScales(block, part), step);
    }

    __host__ __device__ static uint32_t gridEntry(const uint8_t* block, uint32_t part, uint32_t run) {
        return block[2 + part * 8 + run];
    }

    __host__ __device__ static uint32_t signs(const uint8_t* block, uint32_t part) { return evenSigns32(readU32(block + 66 + part * 4)); }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) {
        return oneScale(readU16(block), static_cast<int32_t>(readU32(block + 66 + part * 4) >> 28) * 2 + 1);
    }
};

} // namespace steelyard::kernels
