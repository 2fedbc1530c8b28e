// 16-bit floating point (IEEE half and bfloat16) to and from float32, as plain bit work: the reference that every
// vector and device path is compared with. Rounds to nearest even; a half overflows to infinity. On a card the conversion
// is one instruction of the same result.
#pragma once

#include "kernels/device/keywords.h"

#include <cstdint>
#include <cstring>

namespace steelyard::kernels {

__host__ __device__ inline float bitsToFloat(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

__host__ __device__ inline uint32_t floatToBits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

__host__ __device__ inline float halfToFloat(uint16_t half) {
#if defined(__CUDA_ARCH__)
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
    return value;
#else
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
    const uint32_t exponent = (half >> 10) & 0x1Fu;
    const uint32_t mantissa = half & 0x3FFu;
    if (exponent == 0) { // zero or subnormal: mantissa times 2^-24
        const float magnitude = static_cast<float>(mantissa) * 5.9604644775390625e-8f;
        return bitsToFloat(floatToBits(magnitude) | sign);
    }
    if (exponent == 31) return bitsToFloat(sign | 0x7F800000u | (mantissa << 13));
    return bitsToFloat(sign | ((exponent + 112u) << 23) | (mantissa << 13));
#endif
}

__host__ __device__ inline uint16_t floatToHalf(float value) {
#if defined(__CUDA_ARCH__)
    uint16_t half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
    return half;
#else
    const uint32_t bits = floatToBits(value);
    const uint32_t sign = (bits >> 16) & 0x8000u;
    const uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return static_cast<uint16_t>(sign | 0x7E00u);  // not a number
    if (magnitude >= 0x477FF000u) return static_cast<uint16_t>(sign | 0x7C00u); // 65520 and above: infinity
    if (magnitude < 0x33000001u) return static_cast<uint16_t>(sign);            // at most half of the smallest subnormal
    if (magnitude < 0x38800000u) {                                              // subnormal
        const uint32_t shift = 126u - (magnitude >> 23);
        const uint32_t mantissa = (magnitude & 0x7FFFFFu) | 0x800000u;
        const uint32_t rounded = mantissa >> shift;
        const uint32_t rest = mantissa & ((1u << shift) - 1u), half = 1u << (shift - 1u);
        return static_cast<uint16_t>(sign | (rounded + ((rest > half || (rest == half && (rounded & 1u))) ? 1u : 0u)));
    }
    const uint32_t rounded = magnitude + 0xFFFu + ((magnitude >> 13) & 1u);
    return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
#endif
}

__host__ __device__ inline float bfloat16ToFloat(uint16_t value) { return bitsToFloat(static_cast<uint32_t>(value) << 16); }

__host__ __device__ inline uint16_t floatToBfloat16(float value) {
    const uint32_t bits = floatToBits(value);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
    return static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

} // namespace steelyard::kernels
