// IQ2_XS: 256 values in 74 bytes, sixteen groups of 16. value = scale * (2 * s[g] + 1) / 8 * code, codes from a grid (grid.h).
//   0..1    half   scale
//   2..65   u16 for each 8 values: the grid's entry in 9 bits, then 7 bits of signs (the eighth makes their number even)
//   66..73  s, four bits each, low nibble first
#pragma once

#include "kernels/quant/grid.h"

namespace steelyard::kernels {

struct IQ2_XS {
    static constexpr uint32_t typeId = 17, blockValues = 256, blockBytes = 74;
    static constexpr ProductClass productClass = ProductClass::Scale16;
    static constexpr float step = 0.125f;
    using Grid = GridIq2Xs;
    static constexpr bool hasSigns = true;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        unpackGrid<IQ2_XS>(block, part, out);
        out.setScales(groupScales(block, part), step);
    }

    __host__ __device__ static uint32_t gridEntry(const uint8_t* block, uint32_t part, uint32_t run) {
        return readU16(block + 2 + (part * 4 + run) * 2) & 511u;
    }

    __host__ __device__ static uint32_t signs(const uint8_t* block, uint32_t part) {
        uint32_t all = 0;
        for (uint32_t run = 0; run < 4; ++run) all |= evenSigns(readU16(block + 2 + (part * 4 + run) * 2) >> 9) << run * 8;
        return all;
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) {
        const uint32_t both = block[66 + part];
        return {readU16(block), 0, {static_cast<int32_t>((both & 15u) * 2 + 1), static_cast<int32_t>((both >> 4) * 2 + 1)}, {1, 1}};
    }
};

} // namespace steelyard::kernels
