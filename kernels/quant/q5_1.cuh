// Q5_1: 32 values in 24 bytes. value = scale * code + minimum.
//   0..1    half   scale
//   2..3    half   minimum
//   4..7    u32    bit i is the fifth bit of code i
//   8..23   byte i holds the low four bits of code i (low nibble) and of code i + 16 (high nibble)
// Its head, where head and codes lie apart, is all before byte 8.
#pragma once

#include "kernels/quant/pack.h"

namespace steelyard::kernels {

struct Q5_1 {
    static constexpr uint32_t typeId = 7, blockValues = 32, blockBytes = 24, headBytes = 8;
    static constexpr ProductClass productClass = ProductClass::ScaleMin32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t, Unpacked32& out) { unpackApart(block, block + headBytes, out); }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) {
        return scaleAndMinimum(readU16(block), readU16(block + 2));
    }

    __host__ __device__ static void unpackApart(const uint8_t* head, const uint8_t* codes, Unpacked32& out) {
        const uint32_t fifth = readU32(head + 4);
        for (int i = 0; i < 16; ++i) {
            out.codes[i] = static_cast<int8_t>((codes[i] & 15u) | ((fifth >> i & 1u) << 4));
            out.codes[i + 16] = static_cast<int8_t>((codes[i] >> 4) | ((fifth >> (i + 16) & 1u) << 4));
        }
        out.setScales(groupScales(head, 0));
    }
    __host__ __device__ static float value(const uint8_t* head, const uint8_t* codes, uint32_t index) {
        const uint32_t code = nibbleAt(codes, index) | (readU32(head + 4) >> index & 1u) << 4;
        return multiplyAdd(halfToFloat(readU16(head)), static_cast<float>(code), halfToFloat(readU16(head + 2)));
    }
    // From the smallest value to the largest; codes are of the scale and the minimum as they are stored.
    __host__ __device__ static void pack32(const float* values, uint8_t* head, uint8_t* codes) {
        float low = values[0], high = values[0];
        for (int i = 1; i < 32; ++i) {
            low = values[i] < low ? values[i] : low;
            high = values[i] > high ? values[i] : high;
        }
        const uint16_t minimum = floatToHalf(low);
        const uint16_t step = floatToHalf((high - halfToFloat(minimum)) / 31.0f);
        const float scale = halfToFloat(step), least = halfToFloat(minimum), inverse = scale > 0.0f ? 1.0f / scale : 0.0f;
        writeU16(head, step);
        writeU16(head + 2, minimum);
        uint32_t fifth = 0;
        packNibbles(codes, [&](int i) {
            const auto code = static_cast<uint32_t>(static_cast<int>(nearestWhole(clampTo(multiply(values[i] - least, inverse), 0.0f, 31.0f))));
            fifth |= (code >> 4) << i;
            return code & 15u;
        });
        writeU16(head + 4, static_cast<uint16_t>(fifth & 0xFFFFu));
        writeU16(head + 6, static_cast<uint16_t>(fifth >> 16));
    }
};

} // namespace steelyard::kernels
