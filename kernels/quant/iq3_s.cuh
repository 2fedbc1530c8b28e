// IQ3_S: 256 values in 110 bytes, eight groups of 32. value = scale * (2 * s[g] + 1) * code, codes from a grid (grid.h).
//   0..1      half   scale
//   2..65     low eight bits of the grid's entries, one for 4 values
//   66..73    the ninth bits, a byte for each group, the first lowest
//   74..105   signs, a bit for each value
//   106..109  s, four bits each, low nibble first
#pragma once

#include "kernels/quant/grid.h"

namespace steelyard::kernels {

struct IQ3_S {
    static constexpr uint32_t typeId = 21, blockValues = 256, blockBytes = 110;
    static constexpr ProductClass productClass = ProductClass::Scale32;
    static constexpr float step = 1.0f;
    using Grid = GridIq3S;
    static constexpr bool hasSigns = true;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        unpackGrid<IQ3_S>(block, part, out);
        out.setScales(groupScales(block, part), step);
    }

    __host__ __device__ static uint32_t gridEntry(const uint8_t* block, uint32_t part, uint32_t run) {
        return block[2 + part * 8 + run] | ((block[66 + part] >> run) & 1u) << 8;
    }

    __host__ __device__ static uint32_t signs(const uint8_t* block, uint32_t part) { return readU32(block + 74 + part * 4); }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) {
        return oneScale(readU16(block), ((block[106 + part / 2] >> (part & 1u) * 4) & 15) * 2 + 1);
    }
};

} // namespace steelyard::kernels
