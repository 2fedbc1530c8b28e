// Q8_0: 32 values in 34 bytes. value = scale * code.
//   0..1    half   scale
//   2..33   int8   codes
#pragma once

#include "kernels/quant/pack.h"

namespace steelyard::kernels {

struct Q8_0 {
    static constexpr uint32_t typeId = 8, blockValues = 32, blockBytes = 34, headBytes = 2;
    static constexpr ProductClass productClass = ProductClass::Scale32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t, Unpacked32& out) { unpackApart(block, block + headBytes, out); }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) { return oneScale(readU16(block)); }

    __host__ __device__ static void unpackApart(const uint8_t* head, const uint8_t* codes, Unpacked32& out) {
        for (int i = 0; i < 32; ++i) out.codes[i] = static_cast<int8_t>(codes[i]);
        out.setScales(groupScales(head, 0));
    }
    __host__ __device__ static float value(const uint8_t* head, const uint8_t* codes, uint32_t index) {
        return halfToFloat(readU16(head)) * static_cast<float>(static_cast<int8_t>(codes[index]));
    }
    // The largest magnitude becomes 127; codes are of the scale as it is stored.
    __host__ __device__ static void pack32(const float* values, uint8_t* head, uint8_t* codes) {
        const float largest = furthest(values);
        const uint16_t half = floatToHalf((largest < 0.0f ? -largest : largest) / 127.0f);
        const float scale = halfToFloat(half), inverse = scale > 0.0f ? 1.0f / scale : 0.0f;
        writeU16(head, half);
        for (int i = 0; i < 32; ++i)
            codes[i] = static_cast<uint8_t>(static_cast<int>(nearestWhole(clampTo(multiply(values[i], inverse), -127.0f, 127.0f))));
    }
};

} // namespace steelyard::kernels
