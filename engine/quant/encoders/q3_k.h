// Q3_K (layout: kernels/quant/q3_k.cuh).
#pragma once

#include "engine/quant/encoders/bit_packing.h"
#include "engine/quant/encoders/scale_search.h"

#include "kernels/quant/q3_k.cuh"

namespace {

void encodeQ3_K(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    using Encoder = ScaleEncoder<16, 16, WholeNumbers<4>, 32>;
    using Format = steelyard::kernels::Q3_K;
    encodeBatches<Encoder, Format>(values, importance, count, bytes, [](const Encoder::Codes& codes, uint32_t block, uint8_t* out) {
        packBits<1, 2>(codes.codes, 32, 8, out);
        for (uint32_t half = 0; half < 2; ++half) packBits<2, 0>(codes.codes + half * 128, 32, 4, out + 32 + half * 32);
        uint8_t factors[16];
        for (uint32_t g = 0; g < 16; ++g) factors[g] = static_cast<uint8_t>(codes.factors[g] + 32);
        for (uint32_t j = 0; j < 8; ++j) out[96 + j] = static_cast<uint8_t>((factors[j] & 15u) | (factors[j + 8] & 15u) << 4);
        packBits<2, 4>(factors, 4, 4, out + 104);
        putHalf(codes.scale[block], out + 108);
    });
}

} // namespace
