// Formats of four bits whose codes are numbers of a book of sixteen values.
//
// A book is 16 signed bytes; the values of a group are book[code] times the group's scale. Knows nothing of blocks.
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

// The book of IQ4_NL and IQ4_XS: steps that grow with the distance from zero (GGUF type list).
struct NonlinearBook {
    static constexpr int8_t values[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
    __host__ __device__ static int8_t value(uint32_t code) {
        constexpr uint64_t low = 0xF6EADDCFBFAD9881ull, high = 0x7159453526190D01ull; // the same bytes, for cards
        return static_cast<int8_t>((code < 8 ? low : high) >> (code & 7u) * 8);
    }
    // The code whose value is nearest, the lower one at the middle; 0 for what is no number.
    __host__ __device__ static uint32_t nearestCode(float x) {
        uint32_t code = 0;
        for (uint32_t c = 1; c < 16; ++c) code += x > middle(c) ? 1u : 0u;
        return code;
    }
    __host__ __device__ static float nearest(float x) {
        float result = values[0];
        for (uint32_t c = 1; c < 16; ++c) result += x > middle(c) ? static_cast<float>(value(c) - value(c - 1)) : 0.0f;
        return result;
    }

private:
    __host__ __device__ static float middle(uint32_t code) { return 0.5f * static_cast<float>(value(code) + value(code - 1)); }
};

// Four-bit floating point of two exponent bits and one of mantissa, doubled (OCP Microscaling Formats, version 1.0).
struct Float4Book {
    static constexpr int8_t values[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
    __host__ __device__ static int8_t value(uint32_t code) {
        constexpr uint64_t magnitudes = 0x0C08060403020100ull;
        const int magnitude = static_cast<int>((magnitudes >> (code & 7u) * 8) & 255u);
        return static_cast<int8_t>(code < 8 ? magnitude : -magnitude);
    }
    // The code whose value is nearest, that nearer to zero at the middle.
    __host__ __device__ static uint32_t nearestCode(float x) {
        const float size = x < 0.0f ? -x : x;
        uint32_t code = 0;
        for (uint32_t c = 1; c < 8; ++c) code += size > middle(c) ? 1u : 0u;
        return x < 0.0f ? code | 8u : code;
    }
    __host__ __device__ static float nearest(float x) {
        const float size = x < 0.0f ? -x : x;
        float result = 0.0f;
        for (uint32_t c = 1; c < 8; ++c) result += size > middle(c) ? static_cast<float>(value(c) - value(c - 1)) : 0.0f;
        return x < 0.0f ? -result : result;
    }

private:
    __host__ __device__ static float middle(uint32_t code) { return 0.5f * static_cast<float>(value(code) + value(code - 1)); }
};

// 2 * count values: those of the low nibbles, then those of the high nibbles.
template <class Book>
__host__ __device__ inline void unpackNibbles(const uint8_t* bytes, int count, int8_t* codes) {
    for (int i = 0; i < count; ++i) {
        codes[i] = Book::value(bytes[i] & 15u);
        codes[i + count] = Book::value(bytes[i] >> 4);
    }
}

} // namespace steelyard::kernels
