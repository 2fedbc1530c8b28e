// IQ4_NL: 32 values in 18 bytes. value = scale * book[code], with the book of codebook.h.
//   0..1    half   scale
//   2..17   byte i holds code i (low nibble) and code i + 16 (high nibble)
#pragma once

#include "kernels/quant/codebook.h"
#include "kernels/quant/pack.h"

namespace steelyard::kernels {

struct IQ4_NL {
    static constexpr uint32_t typeId = 20, blockValues = 32, blockBytes = 18, headBytes = 2;
    static constexpr ProductClass productClass = ProductClass::Scale32;
    using Book = NonlinearBook;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t, Unpacked32& out) { unpackApart(block, block + headBytes, out); }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) { return oneScale(readU16(block)); }

    __host__ __device__ static void unpackApart(const uint8_t* head, const uint8_t* codes, Unpacked32& out) {
        unpackNibbles<Book>(codes, 16, out.codes);
        out.setScales(groupScales(head, 0));
    }
    __host__ __device__ static float value(const uint8_t* head, const uint8_t* codes, uint32_t index) {
        return halfToFloat(readU16(head)) * static_cast<float>(Book::value(nibbleAt(codes, index)));
    }

    static __host__ __device__ float number(float scaled) { return static_cast<float>(Book::nearest(scaled)); }
    // Around the scale that gives the furthest value the first of the book.
    __host__ __device__ static void pack32(const float* values, uint8_t* head, uint8_t* codes) {
        constexpr float kFactors[] = {1.0f, 1.12f, 1.06f, 0.94f, 1.2f, 0.88f};
        const float largest = furthest(values);
        PackScale best;
        if (largest > kSmallestPacked || largest < -kSmallestPacked) best = bestScale<IQ4_NL>(values, -127.0f / largest, kFactors, 6);
        writeU16(head, floatToHalf(best.scale));
        packNibbles(codes, [&](int i) { return Book::nearestCode(multiply(values[i], best.inverse)); });
    }
};

} // namespace steelyard::kernels
