// Q6_K (layout: kernels/quant/q6_k.cuh).
#pragma once

#include "engine/quant/encoders/bit_packing.h"
#include "engine/quant/encoders/scale_search.h"

#include "kernels/quant/q6_k.cuh"

namespace {

void encodeQ6_K(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    using Encoder = ScaleEncoder<16, 16, WholeNumbers<32>, 128>;
    using Format = steelyard::kernels::Q6_K;
    encodeBatches<Encoder, Format>(values, importance, count, bytes, [](const Encoder::Codes& codes, uint32_t block, uint8_t* out) {
        for (uint32_t half = 0; half < 2; ++half) {
            const uint8_t* code = codes.codes + half * 128;
            for (uint32_t i = 0; i < 64; ++i)
                out[half * 64 + i] = static_cast<uint8_t>((code[i] & 15u) | (code[i + 64] & 15u) << 4);
            packBits<2, 4>(code, 32, 4, out + 128 + half * 32);
        }
        std::memcpy(out + 192, codes.factors, 16);
        putHalf(codes.scale[block], out + 208);
    });
}

} // namespace
