// Q4_0 (layout: kernels/quant/q4_0.cuh).
#pragma once

#include "engine/quant/encoders/block_codes.h"

#include "kernels/quant/q4_0.cuh"

namespace {

void encodeQ4_0(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    encodeScaleBlocks<steelyard::kernels::Q4_0, 8>(values, importance, count, bytes, [](uint16_t scale, const uint8_t* codes, uint8_t* out) {
        putHalf(scale, out);
        packBlockNibbles(codes, out + 2);
    });
}

} // namespace
