// IQ4_XS (layout: kernels/quant/iq4_xs.cuh).
#pragma once

#include "engine/quant/encoders/block_codes.h"
#include "engine/quant/encoders/book_numbers.h"

#include "kernels/quant/iq4_xs.cuh"

namespace {

void encodeIQ4_XS(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    using Encoder = ScaleEncoder<32, 8, NonlinearNumbers, 32>;
    using Format = steelyard::kernels::IQ4_XS;
    encodeBatches<Encoder, Format>(values, importance, count, bytes, [](const Encoder::Codes& codes, uint32_t block, uint8_t* out) {
        putHalf(codes.scale[block], out);
        uint32_t upper = 0;
        std::memset(out + 4, 0, 4);
        for (uint32_t g = 0; g < 8; ++g) {
            const auto factor = static_cast<uint32_t>(codes.factors[block * 8 + g] + 32);
            out[4 + g / 2] = static_cast<uint8_t>(out[4 + g / 2] | (factor & 15u) << g % 2 * 4);
            upper |= factor >> 4 << g * 2;
            packBlockNibbles(codes.codes + (block * 8 + g) * kBlockCodes, out + 8 + g * 16);
        }
        steelyard::kernels::writeU16(out + 2, static_cast<uint16_t>(upper));
    });
}

} // namespace
