// Packs 32 values into a group of a coded type of the cache: twin of the pack32 of kernels/quant and of kernels/quant/pack.h, with
// the same arithmetic in the same order, never fused.
#ifndef STEELYARD_CACHE_PACK
#define STEELYARD_CACHE_PACK
#include "include/cache.glsl"

const uint LANES = 8u; // partial sums
const float SMALLEST = 1e-30;

float clampTo(float x, float lower, float upper) { return x > lower ? (x < upper ? x : upper) : lower; }

// The value of largest magnitude, the first of equals.
float furthest(float x[32]) {
    float largest = 0.0;
    for (uint i = 0u; i < 32u; ++i)
        if (abs(x[i]) > abs(largest)) largest = x[i];
    return largest;
}

float middleOf(float a, float b) { return 0.5 * (a + b); }

uint nonlinearCode(float x) {
    uint code = 0u;
    for (uint c = 1u; c < 16u; ++c) code += x > middleOf(nonlinearValue(c), nonlinearValue(c - 1u)) ? 1u : 0u;
    return code;
}
uint float4Code(float x) {
    uint code = 0u;
    for (uint c = 1u; c < 8u; ++c) code += abs(x) > middleOf(float4Value(c), float4Value(c - 1u)) ? 1u : 0u;
    return x < 0.0 ? code | 8u : code;
}

// The code of a scaled value, and the number that it stands for.
uint codeOf(uint type, float scaled) {
    if (type == CACHE_Q4_0) return uint(int(roundEven(clampTo(scaled, -8.0, 7.0))) + 8);
    return type == CACHE_MXFP4 ? float4Code(scaled) : nonlinearCode(scaled);
}
float numberOf(uint type, float scaled) {
    if (type == CACHE_Q4_0) return roundEven(clampTo(scaled, -8.0, 7.0));
    return type == CACHE_MXFP4 ? float4Value(float4Code(scaled)) : nonlinearValue(nonlinearCode(scaled));
}

float total(float sums[LANES]) {
    precise float sum = ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
    return sum;
}

// Sums of x q (x) and q q (y) over the group.
vec2 packSums(float x[32], uint type, float inverse) {
    precise float xq[LANES], qq[LANES];
    for (uint lane = 0u; lane < LANES; ++lane) xq[lane] = qq[lane] = 0.0;
    for (uint i = 0u; i < 32u; ++i) {
        precise float scaled = x[i] * inverse;
        const float q = numberOf(type, scaled);
        precise float xProduct = x[i] * q, qProduct = q * q;
        xq[i % LANES] = xq[i % LANES] + xProduct;
        qq[i % LANES] = qq[i % LANES] + qProduct;
    }
    return vec2(total(xq), total(qq));
}

void writeNibbles(float x[32], uint type, float inverse, uint64_t codes) {
    for (uint word = 0u; word < 4u; ++word) {
        uint bits = 0u;
        for (uint i = 0u; i < 4u; ++i) {
            precise float low = x[word * 4u + i] * inverse, high = x[word * 4u + i + 16u] * inverse;
            bits |= (codeOf(type, low) | codeOf(type, high) << 4) << (8u * i);
        }
        Words(codes).v[word] = bits;
    }
}

// Q4_0 and IQ4_NL: the best of a few scales.
void packScaled(float x[32], uint type, uint64_t head, uint64_t codes) {
    const float factors[6] = type == CACHE_Q4_0 ? float[](1.0, 1.11, 1.05, 0.95, 1.18, 0.9) : float[](1.0, 1.12, 1.06, 0.94, 1.2, 0.88);
    const float largest = furthest(x);
    float bestInverse = 0.0, bestScale = 0.0, bestGain = -1.0;
    if (abs(largest) > SMALLEST) {
        precise float inverse = (type == CACHE_Q4_0 ? -8.0 : -127.0) / largest;
        for (uint c = 0u; c < 6u; ++c) {
            precise float tried = inverse * factors[c];
            const vec2 sums = packSums(x, type, tried);
            precise float square = sums.x * sums.x, gain = square / sums.y, scale = sums.x / sums.y;
            if (!(gain > bestGain)) continue;
            bestGain = gain;
            bestInverse = tried;
            bestScale = scale;
        }
    }
    Halves(head).v[0] = uint16_t(roundToHalf(bestScale));
    writeNibbles(x, type, bestInverse, codes);
}

float float4Gain(float x[32], uint exponent) {
    const float scale = uintBitsToFloat((exponent - 1u) << 23);
    const vec2 sums = packSums(x, CACHE_MXFP4, uintBitsToFloat((255u - exponent) << 23));
    precise float twice = 2.0 * sums.x, scaled = scale * sums.y;
    precise float rest = twice - scaled, gain = scale * rest;
    return gain;
}

// Its head is one byte of a word that other threads write to.
void packFloat4(float x[32], uint64_t head, uint64_t codes) {
    const uint power = floatBitsToUint(furthest(x)) >> 23 & 255u;
    uint exponent = power < 12u ? 8u : min(power - 2u, 250u);
    if (power >= 12u && float4Gain(x, exponent + 1u) > float4Gain(x, exponent)) ++exponent;
    Words word = Words(head & ~3ul);
    const uint shift = uint(head & 3ul) * 8u;
    atomicAnd(word.v[0], ~(255u << shift));
    atomicOr(word.v[0], exponent << shift);
    writeNibbles(x, CACHE_MXFP4, uintBitsToFloat((255u - exponent) << 23), codes);
}

void packFifths(float x[32], uint64_t head, uint64_t codes) {
    float low = x[0], high = x[0];
    for (uint i = 1u; i < 32u; ++i) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    const uint minimum = roundToHalf(low);
    const float least = halfToFloat(minimum);
    precise float span = high - least, exact = span / 31.0;
    const uint stepBits = roundToHalf(exact);
    const float scale = halfToFloat(stepBits);
    precise float inverse = scale > 0.0 ? 1.0 / scale : 0.0;
    uint fifth = 0u, nibbles[4] = uint[](0u, 0u, 0u, 0u);
    for (uint i = 0u; i < 32u; ++i) {
        precise float above = x[i] - least, scaled = above * inverse;
        const uint code = uint(roundEven(clampTo(scaled, 0.0, 31.0)));
        fifth |= (code >> 4) << i;
        nibbles[i % 16u / 4u] |= (code & 15u) << (i % 4u * 8u + i / 16u * 4u);
    }
    Words(head).v[0] = stepBits | minimum << 16;
    Words(head).v[1] = fifth;
    for (uint word = 0u; word < 4u; ++word) Words(codes).v[word] = nibbles[word];
}

void packEights(float x[32], uint64_t head, uint64_t codes) {
    precise float exact = abs(furthest(x)) / 127.0;
    const uint bits = roundToHalf(exact);
    const float scale = halfToFloat(bits);
    precise float inverse = scale > 0.0 ? 1.0 / scale : 0.0;
    Halves(head).v[0] = uint16_t(bits);
    for (uint word = 0u; word < 8u; ++word) {
        uint packed = 0u;
        for (uint i = 0u; i < 4u; ++i) {
            precise float scaled = x[word * 4u + i] * inverse;
            packed |= (uint(int(roundEven(clampTo(scaled, -127.0, 127.0)))) & 255u) << (8u * i);
        }
        Words(codes).v[word] = packed;
    }
}

void packGroup(float x[32], uint type, uint64_t head, uint64_t codes) {
    if (type == CACHE_Q8_0) packEights(x, head, codes);
    else if (type == CACHE_Q5_1) packFifths(x, head, codes);
    else if (type == CACHE_MXFP4) packFloat4(x, head, codes);
    else packScaled(x, type, head, codes);
}

#endif
