// Q4_0: 32 values in 18 bytes. value = scale * (code - 8).
//   0..1    half   scale
//   2..17   byte i holds code i (low nibble) and code i + 16 (high nibble)
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct Q4_0 {
    static constexpr uint32_t typeId = 2, blockValues = 32, blockBytes = 18;
    static constexpr ProductClass productClass = ProductClass::Scale32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t, Unpacked32& out) {
        for (int i = 0; i < 16; ++i) {
            out.codes[i] = static_cast<int8_t>((block[2 + i] & 15) - 8);
            out.codes[i + 16] = static_cast<int8_t>((block[2 + i] >> 4) - 8);
        }
        out.setScales(groupScales(block, 0));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) { return oneScale(readU16(block)); }
};

} // namespace steelyard::kernels
