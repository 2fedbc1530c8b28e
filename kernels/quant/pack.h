// What the formats share that keys and values are packed into as they are computed: the same arithmetic, in the same order and
// never fused, on every device, so that all of them store the same codes.
//
// A four-bit format tries a few scales around the one that fits the largest value, and takes the codes q of which a multiple
// comes nearest to the values x: least squares give the scale sum(x q) / sum(q q) and an error that is smallest where
// sum(x q)^2 / sum(q q) is largest. Values that are no numbers get some code. Knows nothing of caches.
#pragma once

#include "kernels/device/arithmetic.h"
#include "kernels/quant/format.h"

namespace steelyard::kernels {

constexpr uint32_t kPackLanes = 8; // partial sums of a group, as vectors of a processor take them

// The nearest whole number, ties to even, of |x| below 2^22.
__host__ __device__ inline float nearestWhole(float x) {
    constexpr float kShift = 12582912.0f; // 1.5 * 2^23: sums have no fraction
#if defined(__CUDA_ARCH__)
    return __fsub_rn(__fadd_rn(x, kShift), kShift);
#else
    return (x + kShift) - kShift;
#endif
}

// Lower where x is no number.
__host__ __device__ inline float clampTo(float x, float lower, float upper) { return x > lower ? (x < upper ? x : upper) : lower; }

// The value of largest magnitude of 32, the first of equals.
__host__ __device__ inline float furthest(const float* values) {
    float largest = 0.0f;
    for (int i = 0; i < 32; ++i) {
        const float magnitude = values[i] < 0.0f ? -values[i] : values[i], best = largest < 0.0f ? -largest : largest;
        if (magnitude > best) largest = values[i];
    }
    return largest;
}

// Code `index` of 32 in 16 bytes: those of the low nibbles, then those of the high ones.
__host__ __device__ inline uint32_t nibbleAt(const uint8_t* codes, uint32_t index) { return index < 16 ? codes[index] & 15u : codes[index - 16] >> 4; }

// The reverse; each(i) gives the code of value i.
template <class Each>
__host__ __device__ inline void packNibbles(uint8_t* codes, Each&& each) {
    for (int i = 0; i < 16; ++i) codes[i] = static_cast<uint8_t>(each(i) | each(i + 16) << 4);
}

constexpr float kSmallestPacked = 1e-30f; // groups of smaller values are zero

// Partial sums of x q and q q.
struct PackSums {
    float xq[kPackLanes] = {}, qq[kPackLanes] = {};

    // Adds the values of one lane.
    __host__ __device__ void add(uint32_t lane, float x, float q) {
        xq[lane] += multiply(x, q);
        qq[lane] += multiply(q, q);
    }
    static __host__ __device__ float total(const float (&sums)[kPackLanes]) {
        return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
    }
};

// The inverse scale among `count` multiples `factors` of `inverse` whose codes come nearest to the values, and the scale that
// goes with them. Code(x) rounds a scaled value to the number that its code stands for.
struct PackScale {
    float inverse = 0.0f, scale = 0.0f;
};
template <class Code>
__host__ __device__ inline PackScale bestScale(const float* values, float inverse, const float* factors, int count) {
    PackScale best;
    float bestGain = -1.0f;
    for (int c = 0; c < count; ++c) {
        const float tried = multiply(inverse, factors[c]);
        PackSums sums;
        for (uint32_t i = 0; i < 32; i += kPackLanes)
            for (uint32_t lane = 0; lane < kPackLanes; ++lane)
                sums.add(lane, values[i + lane], Code::number(multiply(values[i + lane], tried)));
        const float xq = PackSums::total(sums.xq), qq = PackSums::total(sums.qq);
        const float gain = multiply(xq, xq) / qq;
        if (!(gain > bestGain)) continue;
        bestGain = gain;
        best = {tried, xq / qq};
    }
    return best;
}

} // namespace steelyard::kernels
