// IQ2_S: 256 values in 82 bytes, sixteen groups of 16. value = scale * (2 * s[g] + 1) / 8 * code, codes from a grid (grid.h).
//   0..1    half   scale
//   2..33   low eight bits of the grid's entries, one for 8 values
//   34..65  signs, a bit for each value
//   66..73  upper two bits of the entries, four to a byte, the first lowest
//   74..81  s, four bits each, low nibble first
#pragma once

#include "kernels/quant/grid.h"

namespace steelyard::kernels {

struct IQ2_S {
    static constexpr uint32_t typeId = 22, blockValues = 256, blockBytes = 82;
    static constexpr ProductClass productClass = ProductClass::Scale16;
    static constexpr float step = 0.125f;
    using Grid = GridIq2S;
    static constexpr bool hasSigns = true;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        unpackGrid<IQ2_S>(block, part, out);
        out.setScales(groupScales(block, part), step);
    }

    __host__ __device__ static uint32_t gridEntry(const uint8_t* block, uint32_t part, uint32_t run) {
        return block[2 + part * 4 + run] | ((block[66 + part] >> run * 2) & 3u) << 8;
    }

    __host__ __device__ static uint32_t signs(const uint8_t* block, uint32_t part) { return readU32(block + 34 + part * 4); }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) {
        const uint32_t both = block[74 + part];
        return {readU16(block), 0, {static_cast<int32_t>((both & 15u) * 2 + 1), static_cast<int32_t>((both >> 4) * 2 + 1)}, {1, 1}};
    }
};

} // namespace steelyard::kernels
