// Q5_K: 256 values in 176 bytes, eight groups of 32. value = scale * s[g] * code - minimum * m[g].
//   0..15    scale, minimum and the packed s and m, as in Q4_K
//   16..47   bit g of byte i is the fifth bit of code i of group g
//   48..175  low four bits: run r of 32 bytes holds group 2r in its low nibbles and group 2r + 1 in its high nibbles
#pragma once

#include "kernels/quant/q4_k.cuh"

namespace steelyard::kernels {

struct Q5_K {
    static constexpr uint32_t typeId = 13, blockValues = 256, blockBytes = 176;
    static constexpr ProductClass productClass = ProductClass::ScaleMin32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        const uint8_t *fifth = block + 16, *run = block + 48 + (part / 2) * 32;
        const uint32_t shift = (part & 1u) * 4;
        for (int i = 0; i < 32; ++i)
            out.codes[i] = static_cast<int8_t>(((run[i] >> shift) & 15u) | (((fifth[i] >> part) & 1u) << 4));
        out.setScales(groupScales(block, part));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) { return Q4_K::groupScales(block, part); }
};

} // namespace steelyard::kernels
