// Q1_0: 128 values in 18 bytes. value = scale where the bit is set, else -scale.
//   0..1    half   scale
//   2..17   bit i mod 8 of byte i / 8 is that of value i
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct Q1_0 {
    static constexpr uint32_t typeId = 41, blockValues = 128, blockBytes = 18;
    static constexpr ProductClass productClass = ProductClass::Scale32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        const uint32_t bits = readU32(block + 2 + part * 4);
        for (int i = 0; i < 32; ++i) out.codes[i] = (bits >> i & 1u) ? 1 : -1;
        out.setScales(groupScales(block, part));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) { return oneScale(readU16(block)); }
};

} // namespace steelyard::kernels
