// Q5_K (layout: kernels/quant/q5_k.cuh).
#pragma once

#include "engine/quant/encoders/bit_packing.h"
#include "engine/quant/encoders/minimum_search.h"

#include "kernels/quant/q5_k.cuh"

namespace {

void encodeQ5_K(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    using Encoder = MinimumEncoder<32, 8, 31, 63>;
    using Format = steelyard::kernels::Q5_K;
    encodeBatches<Encoder, Format>(values, importance, count, bytes, [](const Encoder::Codes& codes, uint32_t block, uint8_t* out) {
        const uint8_t* code = codes.codes + block * 256;
        packSixBitFactors(codes, block, out);
        packBits<1, 4>(code, 32, 8, out + 16);
        packNibbles(code, 256, out + 48);
    });
}

} // namespace
