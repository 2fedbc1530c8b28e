// Q2_K (layout: kernels/quant/q2_k.cuh).
#pragma once

#include "engine/quant/encoders/bit_packing.h"
#include "engine/quant/encoders/minimum_search.h"

#include "kernels/quant/q2_k.cuh"

namespace {

void encodeQ2_K(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    using Encoder = MinimumEncoder<16, 16, 3, 15>;
    using Format = steelyard::kernels::Q2_K;
    encodeBatches<Encoder, Format>(values, importance, count, bytes, [](const Encoder::Codes& codes, uint32_t block, uint8_t* out) {
        for (uint32_t g = 0; g < 16; ++g) out[g] = static_cast<uint8_t>(codes.factors[g] | codes.minimums[g] << 4);
        for (uint32_t half = 0; half < 2; ++half) packBits<2, 0>(codes.codes + half * 128, 32, 4, out + 16 + half * 32);
        putHalf(codes.scale[block], out + 80);
        putHalf(codes.minimum[block], out + 82);
    });
}

} // namespace
