// F32: one IEEE single per value, little-endian.
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct F32 {
    static constexpr uint32_t typeId = 0, blockValues = 1, blockBytes = 4;
    static constexpr ProductClass productClass = ProductClass::Float;

    __host__ __device__ static float load(const uint8_t* row, uint32_t index) {
        float value;
        memcpy(&value, row + uint64_t(index) * 4, 4);
        return value;
    }
    __host__ __device__ static void store(uint8_t* row, uint32_t index, float value) { memcpy(row + uint64_t(index) * 4, &value, 4); }
};

} // namespace steelyard::kernels
