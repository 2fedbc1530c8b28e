// F16: one IEEE half per value, little-endian.
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct F16 {
    static constexpr uint32_t typeId = 1, blockValues = 1, blockBytes = 2;
    static constexpr ProductClass productClass = ProductClass::Float;

    __host__ __device__ static float load(const uint8_t* row, uint32_t index) {
        return halfToFloat(readU16(row + uint64_t(index) * 2));
    }
    __host__ __device__ static void store(uint8_t* row, uint32_t index, float value) { writeU16(row + uint64_t(index) * 2, floatToHalf(value)); }
};

} // namespace steelyard::kernels
