// Q5_1: 32 values in 24 bytes. value = scale * code + minimum.
//   0..1    half   scale
//   2..3    half   minimum
//   4..7    u32    bit i is the fifth bit of code i
//   8..23   byte i holds the low four bits of code i (low nibble) and of code i + 16 (high nibble)
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct Q5_1 {
    static constexpr uint32_t typeId = 7, blockValues = 32, blockBytes = 24;
    static constexpr ProductClass productClass = ProductClass::ScaleMin32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t, Unpacked32& out) {
        const uint32_t fifth = readU32(block + 4);
        for (int i = 0; i < 16; ++i) {
            out.codes[i] = static_cast<int8_t>((block[8 + i] & 15u) | ((fifth >> i & 1u) << 4));
            out.codes[i + 16] = static_cast<int8_t>((block[8 + i] >> 4) | ((fifth >> (i + 16) & 1u) << 4));
        }
        out.setScales(groupScales(block, 0));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) {
        return scaleAndMinimum(readU16(block), readU16(block + 2));
    }
};

} // namespace steelyard::kernels
