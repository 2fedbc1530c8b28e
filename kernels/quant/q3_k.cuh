// Q3_K: 256 values in 110 bytes, sixteen groups of 16. value = scale * (s[g] - 32) * (code - 4).
//   0..31     bit p of byte i is the third bit of code i of the 32 values p
//   32..95    low two bits; value v of a half h (128 values): byte 32h + (v mod 32), bits 2 * (v / 32) and up
//   96..107   sixteen 6-bit s: the low four bits of s[g] in byte g mod 8 (low nibble for g < 8, else high), the upper two in
//             byte 8 + g mod 4, bits 2 * (g / 4) and up
//   108..109  half   scale
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct Q3_K {
    static constexpr uint32_t typeId = 11, blockValues = 256, blockBytes = 110;
    static constexpr ProductClass productClass = ProductClass::Scale16;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        const uint8_t* run = block + 32 + (part / 4) * 32;
        const uint32_t shift = (part & 3u) * 2;
        for (int i = 0; i < 32; ++i) {
            const uint32_t code = ((run[i] >> shift) & 3u) | (((block[i] >> part) & 1u) << 2);
            out.codes[i] = static_cast<int8_t>(static_cast<int>(code) - 4);
        }
        out.setScales(groupScales(block, part));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) {
        const auto factor = [&](uint32_t g) {
            const uint32_t low = (block[96 + (g & 7u)] >> (g < 8 ? 0 : 4)) & 15u;
            return static_cast<int32_t>(low | (((block[104 + (g & 3u)] >> (g / 4 * 2)) & 3u) << 4)) - 32;
        };
        return {readU16(block + 108), 0, {factor(part * 2), factor(part * 2 + 1)}, {1, 1}};
    }
};

} // namespace steelyard::kernels
