// Q2_0: 64 values in 18 bytes. value = scale * (code - 1).
//   0..1    half   scale
//   2..17   code i in byte i / 4, bits 2 * (i mod 4) and up
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct Q2_0 {
    static constexpr uint32_t typeId = 42, blockValues = 64, blockBytes = 18;
    static constexpr ProductClass productClass = ProductClass::Scale32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        for (int i = 0; i < 32; ++i)
            out.codes[i] = static_cast<int8_t>(((block[2 + part * 8 + i / 4] >> (i & 3) * 2) & 3) - 1);
        out.setScales(groupScales(block, part));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) { return oneScale(readU16(block)); }
};

} // namespace steelyard::kernels
