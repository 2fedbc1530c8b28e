// Q4_K: 256 values in 144 bytes, eight groups of 32. value = scale * s[g] * code - minimum * m[g].
//   0..1     half   scale
//   2..3     half   minimum
//   4..15    eight 6-bit s and m: byte j < 4 has s[j] in its low six bits, byte j + 4 has m[j]; s[j + 4] is the low nibble
//            of byte j + 8 with the top two bits of byte j, m[j + 4] the high nibble with the top two bits of byte j + 4
//   16..143  four runs of 32 bytes: run r holds group 2r in its low nibbles and group 2r + 1 in its high nibbles
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct Q4_K {
    static constexpr uint32_t typeId = 12, blockValues = 256, blockBytes = 144;
    static constexpr ProductClass productClass = ProductClass::ScaleMin32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        const uint8_t* run = block + 16 + (part / 2) * 32;
        const uint32_t shift = (part & 1u) * 4;
        for (int i = 0; i < 32; ++i) out.codes[i] = static_cast<int8_t>((run[i] >> shift) & 15u);
        out.setScales(groupScales(block, part));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) {
        const uint8_t* packed = block + 4;
        const uint32_t j = part & 3u;
        const uint32_t s = part < 4 ? packed[j] & 63u : (packed[j + 8] & 15u) | ((packed[j] >> 6) << 4);
        const uint32_t m = part < 4 ? packed[j + 4] & 63u : (packed[j + 8] >> 4) | ((packed[j + 4] >> 6) << 4);
        return scaleAndMinimum(readU16(block), readU16(block + 2), static_cast<int32_t>(s), -static_cast<int32_t>(m));
    }
};

} // namespace steelyard::kernels
