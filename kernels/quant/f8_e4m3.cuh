// F8_E4M3: one byte per value: sign, four bits of exponent (bias 7), three of mantissa (OCP 8-bit Floating Point
// Specification, version 1.0). Of the cache only: no file has it. What is too large becomes the largest value, 448.
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct F8_E4M3 {
    static constexpr uint32_t typeId = 200, blockValues = 1, blockBytes = 1;
    static constexpr ProductClass productClass = ProductClass::Float;

    __host__ __device__ static float load(const uint8_t* row, uint32_t index) {
        const uint32_t code = row[index], exponent = code >> 3 & 15u, mantissa = code & 7u;
        const float magnitude = exponent == 0 ? static_cast<float>(mantissa) * 0.001953125f : bitsToFloat((exponent + 120u) << 23 | mantissa << 20);
        return code & 128u ? -magnitude : magnitude;
    }

    __host__ __device__ static void store(uint8_t* row, uint32_t index, float value) {
        const uint32_t bits = floatToBits(value), sign = bits >> 24 & 128u, magnitude = bits & 0x7FFFFFFFu;
        uint32_t code;
        if (magnitude > 0x7F800000u) code = 0x7Fu;       // not a number
        else if (magnitude >= 0x43E00000u) code = 0x7Eu; // 448 and above
        else if (magnitude < 0x3C800000u) {              // below 2^-6: multiples of 2^-9
            const float steps = bitsToFloat(magnitude) * 512.0f + 12582912.0f; // rounds to a whole number in the lowest bits
            code = floatToBits(steps) & 15u;
        } else {
            code = (magnitude + 0x7FFFFu + (magnitude >> 20 & 1u) - 0x3C000000u) >> 20;
        }
        row[index] = static_cast<uint8_t>(sign | code);
    }
};

} // namespace steelyard::kernels
