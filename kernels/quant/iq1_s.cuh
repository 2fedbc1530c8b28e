// IQ1_S: 256 values in 50 bytes, eight groups of 32. value = scale * (2 * s[g] + 1) / 8 * code, codes from a grid (grid.h).
//   0..1    half   scale
//   2..33   low eight bits of the grid's entries, one for 8 values
//   34..49  u16 for each group: the upper three bits of its four entries, the first lowest; s in bits 12..14; bit 15 chooses
//           the half of the grid that lies lower
#pragma once

#include "kernels/quant/grid.h"

namespace steelyard::kernels {

struct IQ1_S {
    static constexpr uint32_t typeId = 19, blockValues = 256, blockBytes = 50;
    static constexpr ProductClass productClass = ProductClass::Scale32;
    static constexpr float step = 0.125f;
    using Grid = GridIq1;
    static constexpr bool hasSigns = false;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        unpackGrid<IQ1_S>(block, part, out);
        out.setScales(groupScales(block, part), step);
    }

    __host__ __device__ static uint32_t gridEntry(const uint8_t* block, uint32_t part, uint32_t run) {
        const uint32_t rest = readU16(block + 34 + part * 2);
        return block[2 + part * 4 + run] | (rest >> run * 3 & 7u) << 8 | (rest >> 15) << 11;
    }

    __host__ __device__ static uint32_t signs(const uint8_t*, uint32_t) { return 0; }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) {
        return oneScale(readU16(block), (readU16(block + 34 + part * 2) >> 12 & 7) * 2 + 1);
    }
};

} // namespace steelyard::kernels
