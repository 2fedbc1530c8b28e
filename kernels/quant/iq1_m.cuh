// IQ1_M: 256 values in 56 bytes, sixteen groups of 16. value = scale * (2 * s[g] + 1) / 8 * code, codes from a grid (grid.h).
//   0..31   low eight bits of the grid's entries, one for 8 values
//   32..47  four bits for each 8 values, low nibble first: the upper three bits of the entry, and a bit that chooses the half
//           of the grid that lies lower
//   48..55  four u16, each: s of four groups in three bits each, the first lowest; the top four bits of the four are the
//           scale, a half, the first lowest
#pragma once

#include "kernels/quant/grid.h"

namespace steelyard::kernels {

struct IQ1_M {
    static constexpr uint32_t typeId = 29, blockValues = 256, blockBytes = 56;
    static constexpr ProductClass productClass = ProductClass::Scale16;
    static constexpr float step = 0.125f;
    using Grid = GridIq1;
    static constexpr bool hasSigns = false;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        unpackGrid<IQ1_M>(block, part, out);
        out.setScales(groupScales(block, part), step);
    }

    __host__ __device__ static uint32_t gridEntry(const uint8_t* block, uint32_t part, uint32_t run) {
        const uint32_t upper = block[32 + part * 2 + run / 2] >> (run & 1u) * 4 & 15u;
        return block[part * 4 + run] | upper << 8;
    }

    __host__ __device__ static uint32_t signs(const uint8_t*, uint32_t) { return 0; }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) {
        uint32_t scale = 0;
        for (uint32_t i = 0; i < 4; ++i) scale |= uint32_t(readU16(block + 48 + i * 2) >> 12) << i * 4;
        const uint32_t four = readU16(block + 48 + part / 2 * 2) >> (part & 1u) * 6;
        return {static_cast<uint16_t>(scale), 0, {static_cast<int32_t>(four & 7u) * 2 + 1, static_cast<int32_t>(four >> 3 & 7u) * 2 + 1}, {1, 1}};
    }
};

} // namespace steelyard::kernels
