// Q4_1 (layout: kernels/quant/q4_1.cuh).
#pragma once

#include "engine/quant/encoders/block_codes.h"

#include "kernels/quant/q4_1.cuh"

namespace {

void encodeQ4_1(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    encodeMinimumBlocks<steelyard::kernels::Q4_1, 15>(values, importance, count, bytes, [](uint16_t scale, uint16_t minimum, const uint8_t* codes, uint8_t* out) {
        putHalf(scale, out);
        putHalf(minimum, out + 2);
        packBlockNibbles(codes, out + 4);
    });
}

} // namespace
