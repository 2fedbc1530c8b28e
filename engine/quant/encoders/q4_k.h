// Q4_K (layout: kernels/quant/q4_k.cuh).
#pragma once

#include "engine/quant/encoders/bit_packing.h"
#include "engine/quant/encoders/minimum_search.h"

#include "kernels/quant/q4_k.cuh"

namespace {

void encodeQ4_K(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    using Encoder = MinimumEncoder<32, 8, 15, 63>;
    using Format = steelyard::kernels::Q4_K;
    encodeBatches<Encoder, Format>(values, importance, count, bytes, [](const Encoder::Codes& codes, uint32_t block, uint8_t* out) {
        packSixBitFactors(codes, block, out);
        packNibbles(codes.codes + block * 256, 256, out + 16);
    });
}

} // namespace
