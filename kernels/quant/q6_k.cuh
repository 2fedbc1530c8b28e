// Q6_K: 256 values in 210 bytes, sixteen groups of 16. value = scale * s[g] * (code - 32).
//   0..127    low four bits; value v of a half h (128 values): byte 64h + (v mod 64), low nibble for v < 64, else high
//   128..191  upper two bits; value v of half h: byte 32h + (v mod 32), bits 2 * (v / 32) and up
//   192..207  int8   s, one per 16 values
//   208..209  half   scale
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct Q6_K {
    static constexpr uint32_t typeId = 14, blockValues = 256, blockBytes = 210;
    static constexpr ProductClass productClass = ProductClass::Scale16;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        const uint32_t half = part / 4, quarter = part % 4;
        const uint8_t* low = block + half * 64 + (quarter & 1u) * 32;
        const uint8_t* high = block + 128 + half * 32;
        for (int i = 0; i < 32; ++i) {
            const uint32_t code = ((low[i] >> (quarter / 2 * 4)) & 15u) | (((high[i] >> (quarter * 2)) & 3u) << 4);
            out.codes[i] = static_cast<int8_t>(static_cast<int>(code) - 32);
        }
        out.setScales(groupScales(block, part));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) {
        const auto factor = [&](uint32_t h) { return static_cast<int32_t>(static_cast<int8_t>(block[192 + part * 2 + h])); };
        return {readU16(block + 208), 0, {factor(0), factor(1)}, {1, 1}};
    }
};

} // namespace steelyard::kernels
