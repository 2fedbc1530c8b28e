// Q5_1 (layout: kernels/quant/q5_1.cuh).
#pragma once

#include "engine/quant/encoders/block_codes.h"

#include "kernels/quant/q5_1.cuh"

namespace {

void encodeQ5_1(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    encodeMinimumBlocks<steelyard::kernels::Q5_1, 31>(values, importance, count, bytes, [](uint16_t scale, uint16_t minimum, const uint8_t* codes, uint8_t* out) {
        putHalf(scale, out);
        putHalf(minimum, out + 2);
        packFifthBits(codes, out + 4);
        packBlockNibbles(codes, out + 8);
    });
}

} // namespace
