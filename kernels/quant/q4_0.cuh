// Q4_0: 32 values in 18 bytes. value = scale * (code - 8).
//   0..1    half   scale
//   2..17   byte i holds code i (low nibble) and code i + 16 (high nibble)
#pragma once

#include "kernels/quant/pack.h"

namespace steelyard::kernels {

struct Q4_0 {
    static constexpr uint32_t typeId = 2, blockValues = 32, blockBytes = 18, headBytes = 2;
    static constexpr ProductClass productClass = ProductClass::Scale32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t, Unpacked32& out) { unpackApart(block, block + headBytes, out); }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) { return oneScale(readU16(block)); }

    __host__ __device__ static void unpackApart(const uint8_t* head, const uint8_t* codes, Unpacked32& out) {
        for (int i = 0; i < 16; ++i) {
            out.codes[i] = static_cast<int8_t>((codes[i] & 15) - 8);
            out.codes[i + 16] = static_cast<int8_t>((codes[i] >> 4) - 8);
        }
        out.setScales(groupScales(head, 0));
    }
    __host__ __device__ static float value(const uint8_t* head, const uint8_t* codes, uint32_t index) {
        return halfToFloat(readU16(head)) * static_cast<float>(static_cast<int>(nibbleAt(codes, index)) - 8);
    }

    static __host__ __device__ float number(float scaled) { return nearestWhole(clampTo(scaled, -8.0f, 7.0f)); }
    // Around the scale that gives the furthest value the code 0, which stands for -8.
    __host__ __device__ static void pack32(const float* values, uint8_t* head, uint8_t* codes) {
        constexpr float kFactors[] = {1.0f, 1.11f, 1.05f, 0.95f, 1.18f, 0.9f};
        const float largest = furthest(values);
        PackScale best;
        if (largest > kSmallestPacked || largest < -kSmallestPacked) best = bestScale<Q4_0>(values, -8.0f / largest, kFactors, 6);
        writeU16(head, floatToHalf(best.scale));
        packNibbles(codes, [&](int i) { return static_cast<uint32_t>(static_cast<int>(number(multiply(values[i], best.inverse))) + 8); });
    }
};

} // namespace steelyard::kernels
