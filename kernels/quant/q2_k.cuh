// Q2_K: 256 values in 84 bytes, sixteen groups of 16. value = scale * s[g] * code - minimum * m[g].
//   0..15   s[g] in the low nibble, m[g] in the high nibble
//   16..79  codes; value v of a half h (128 values): byte 32h + (v mod 32), bits 2 * (v / 32) and up
//   80..81  half   scale
//   82..83  half   minimum
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct Q2_K {
    static constexpr uint32_t typeId = 10, blockValues = 256, blockBytes = 84;
    static constexpr ProductClass productClass = ProductClass::ScaleMin16;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        const uint8_t* run = block + 16 + (part / 4) * 32;
        const uint32_t shift = (part & 3u) * 2;
        for (int i = 0; i < 32; ++i) out.codes[i] = static_cast<int8_t>((run[i] >> shift) & 3u);
        out.setScales(groupScales(block, part));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) {
        const uint8_t *first = block + part * 2, *second = first + 1;
        return {readU16(block + 80), readU16(block + 82), {*first & 15, *second & 15}, {-(*first >> 4), -(*second >> 4)}};
    }
};

} // namespace steelyard::kernels
