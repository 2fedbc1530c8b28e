// Single operations that a card has an instruction for, each with its plain twin of the same result.
#pragma once

#include "kernels/device/keywords.h"

#include <cstdint>
#include <cstring>

namespace steelyard::kernels {

// sum + the products of the four signed bytes of a and b.
__host__ __device__ inline int32_t dotBytes(uint32_t a, uint32_t b, int32_t sum) {
#if defined(__CUDA_ARCH__)
    return __dp4a(static_cast<int>(a), static_cast<int>(b), sum);
#else
    for (uint32_t shift = 0; shift < 32; shift += 8)
        sum += static_cast<int8_t>(a >> shift & 255u) * static_cast<int8_t>(b >> shift & 255u);
    return sum;
#endif
}

// The place of the lowest bit that is set, of a number that is not 0.
__host__ __device__ inline uint32_t lowestBit(uint64_t bits) {
#if defined(__CUDA_ARCH__)
    return static_cast<uint32_t>(__ffsll(static_cast<long long>(bits))) - 1;
#else
    uint32_t place = 0;
    while (!(bits >> place & 1u)) ++place;
    return place;
#endif
}

// a * b, never fused with what follows.
__host__ __device__ inline float multiply(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

// a * b + c. On a card always fused, so that all variants of a kernel round alike.
__host__ __device__ inline float multiplyAdd(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, c);
#else
    return a * b + c;
#endif
}

} // namespace steelyard::kernels
