// MXFP4: 32 values in 17 bytes. value = 2^(exponent - 128) * book[code]: four-bit floating point (codebook.h, doubled).
//   0       u8     exponent
//   1..16   byte i holds code i (low nibble) and code i + 16 (high nibble)
// The scale of its GroupScales is in bfloat16, which holds every such power of two.
#pragma once

#include "kernels/quant/codebook.h"
#include "kernels/quant/pack.h"

namespace steelyard::kernels {

struct MXFP4 {
    static constexpr uint32_t typeId = 39, blockValues = 32, blockBytes = 17, headBytes = 1;
    static constexpr ProductClass productClass = ProductClass::Scale32;
    using Book = Float4Book;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t, Unpacked32& out) { unpackApart(block, block + headBytes, out); }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) {
        const uint32_t exponent = block[0]; // the two lowest powers are below the smallest normal number
        return oneScale(static_cast<uint16_t>(exponent < 2 ? 0x20u << exponent : (exponent - 1u) << 7));
    }

    __host__ __device__ static void unpackApart(const uint8_t* head, const uint8_t* codes, Unpacked32& out) {
        unpackNibbles<Book>(codes, 16, out.codes);
        out.setScale(scaleOf(head));
    }
    __host__ __device__ static float value(const uint8_t* head, const uint8_t* codes, uint32_t index) {
        return scaleOf(head) * static_cast<float>(Book::value(nibbleAt(codes, index)));
    }
    // The power of two that puts the furthest value at 8 to 16 of the book's 12, or the next one, whichever comes nearer.
    __host__ __device__ static void pack32(const float* values, uint8_t* head, uint8_t* codes) {
        const float largest = furthest(values);
        const uint32_t power = floatToBits(largest) >> 23 & 255u; // 127 more than that of the furthest value
        uint32_t exponent = power < 12u ? 8u : power - 2u;
        exponent = exponent > 250u ? 250u : exponent;
        if (power < 12u) exponent = 8u;
        else if (gain(values, exponent + 1u) > gain(values, exponent)) ++exponent;
        head[0] = static_cast<uint8_t>(exponent);
        const float inverse = bitsToFloat((255u - exponent) << 23);
        packNibbles(codes, [&](int i) { return Book::nearestCode(multiply(values[i], inverse)); });
    }

private:
    __host__ __device__ static float scaleOf(const uint8_t* head) { return bfloat16ToFloat(groupScales(head, 0).scale); }

    // How much less than the values themselves the error is: s (2 sum(x q) - s sum(q q)).
    __host__ __device__ static float gain(const float* values, uint32_t exponent) {
        const float scale = bitsToFloat((exponent - 1u) << 23), inverse = bitsToFloat((255u - exponent) << 23);
        PackSums sums;
        for (uint32_t i = 0; i < 32; i += kPackLanes)
            for (uint32_t lane = 0; lane < kPackLanes; ++lane)
                sums.add(lane, values[i + lane], static_cast<float>(Book::nearest(multiply(values[i + lane], inverse))));
        const float xq = PackSums::total(sums.xq), qq = PackSums::total(sums.qq);
        return multiply(scale, multiply(2.0f, xq) - multiply(scale, qq));
    }
};

} // namespace steelyard::kernels
