// Q5_0 (layout: kernels/quant/q5_0.cuh).
#pragma once

#include "engine/quant/encoders/block_codes.h"

#include "kernels/quant/q5_0.cuh"

namespace {

void encodeQ5_0(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    encodeScaleBlocks<steelyard::kernels::Q5_0, 16>(values, importance, count, bytes, [](uint16_t scale, const uint8_t* codes, uint8_t* out) {
        putHalf(scale, out);
        packFifthBits(codes, out + 2);
        packBlockNibbles(codes, out + 6);
    });
}

} // namespace
