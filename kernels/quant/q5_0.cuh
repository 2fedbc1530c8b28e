// Q5_0: 32 values in 22 bytes. value = scale * (code - 16).
//   0..1    half   scale
//   2..5    u32    bit i is the fifth bit of code i
//   6..21   byte i holds the low four bits of code i (low nibble) and of code i + 16 (high nibble)
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct Q5_0 {
    static constexpr uint32_t typeId = 6, blockValues = 32, blockBytes = 22;
    static constexpr ProductClass productClass = ProductClass::Scale32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t, Unpacked32& out) {
        const uint32_t fifth = readU32(block + 2);
        for (int i = 0; i < 16; ++i) {
            const uint32_t low = (block[6 + i] & 15u) | ((fifth >> i & 1u) << 4);
            const uint32_t high = (block[6 + i] >> 4) | ((fifth >> (i + 16) & 1u) << 4);
            out.codes[i] = static_cast<int8_t>(static_cast<int>(low) - 16);
            out.codes[i + 16] = static_cast<int8_t>(static_cast<int>(high) - 16);
        }
        out.setScales(groupScales(block, 0));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) { return oneScale(readU16(block)); }
};

} // namespace steelyard::kernels
