// Q4_1: 32 values in 20 bytes. value = scale * code + minimum.
//   0..1    half   scale
//   2..3    half   minimum
//   4..19   byte i holds code i (low nibble) and code i + 16 (high nibble)
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct Q4_1 {
    static constexpr uint32_t typeId = 3, blockValues = 32, blockBytes = 20;
    static constexpr ProductClass productClass = ProductClass::ScaleMin32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t, Unpacked32& out) {
        for (int i = 0; i < 16; ++i) {
            out.codes[i] = static_cast<int8_t>(block[4 + i] & 15);
            out.codes[i + 16] = static_cast<int8_t>(block[4 + i] >> 4);
        }
        out.setScales(groupScales(block, 0));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) {
        return scaleAndMinimum(readU16(block), readU16(block + 2));
    }
};

} // namespace steelyard::kernels
