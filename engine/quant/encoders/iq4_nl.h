// IQ4_NL (layout: kernels/quant/iq4_nl.cuh).
#pragma once

#include "engine/quant/encoders/block_codes.h"
#include "engine/quant/encoders/book_numbers.h"

#include "kernels/quant/iq4_nl.cuh"

namespace {

void encodeIQ4_NL(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    using Encoder = OwnScale<NonlinearNumbers>;
    using Format = steelyard::kernels::IQ4_NL;
    encodeBatches<Encoder, Format>(values, importance, count, bytes, [](const Encoder::Codes& codes, uint32_t block, uint8_t* out) {
        putHalf(codes.scale[block], out);
        packBlockNibbles(codes.codes + block * kBlockCodes, out + 2);
    });
}

} // namespace
