// Q8_0: 32 values in 34 bytes. value = scale * code.
//   0..1    half   scale
//   2..33   int8   codes
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct Q8_0 {
    static constexpr uint32_t typeId = 8, blockValues = 32, blockBytes = 34;
    static constexpr ProductClass productClass = ProductClass::Scale32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t, Unpacked32& out) {
        for (int i = 0; i < 32; ++i) out.codes[i] = static_cast<int8_t>(block[2 + i]);
        out.setScales(groupScales(block, 0));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) { return oneScale(readU16(block)); }
};

} // namespace steelyard::kernels
