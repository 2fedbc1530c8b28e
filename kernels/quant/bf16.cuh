// BF16: the upper 16 bits of an IEEE single per value, little-endian.
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct BF16 {
    static constexpr uint32_t typeId = 30, blockValues = 1, blockBytes = 2;
    static constexpr ProductClass productClass = ProductClass::Float;

    __host__ __device__ static float load(const uint8_t* row, uint32_t index) {
        return bfloat16ToFloat(readU16(row + uint64_t(index) * 2));
    }
    __host__ __device__ static void store(uint8_t* row, uint32_t index, float value) {
        writeU16(row + uint64_t(index) * 2, floatToBfloat16(value));
    }
};

} // namespace steelyard::kernels
