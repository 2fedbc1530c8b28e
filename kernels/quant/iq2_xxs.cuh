// IQ2_XXS: 256 values in 66 bytes, eight groups of 32. value = scale * (2 * s[g] + 1) / 8 * code, codes from a grid (grid.h).
//   0..1    half   scale
//   2..65   8 bytes for each group: four bytes, the grid's entries for 8 values each; then u32: four times 7 bits of signs
//           (the eighth sign makes their number even), and s in the top 4 bits
#pragma once

#include "kernels/quant/grid.h"

namespace steelyard::kernels {

struct IQ2_XXS {
    static constexpr uint32_t typeId = 16, blockValues = 256, blockBytes = 66;
    static constexpr ProductClass productClass = ProductClass::Scale32;
    static constexpr float step = 0.125f;
    using Grid = GridIq2Xxs;
    static constexpr bool hasSigns = true;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        unpackGrid<IQ2_XXS>(block, part, out);
        out.setScales(groupScales(block, part), step);
    }

    __host__ __device__ static uint32_t gridEntry(const uint8_t* block, uint32_t part, uint32_t run) {
        return block[2 + part * 8 + run];
    }

    __host__ __device__ static uint32_t signs(const uint8_t* block, uint32_t part) { return evenSigns32(readU32(block + 6 + part * 8)); }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) {
        return oneScale(readU16(block), static_cast<int32_t>(readU32(block + 6 + part * 8) >> 28) * 2 + 1);
    }
};

} // namespace steelyard::kernels
