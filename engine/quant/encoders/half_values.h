// F16 and BF16: a value in two bytes, rounded to nearest even; and back.
#pragma once

#include "kernels/device/half.h"

#include <cstring>

namespace {

void encodeF16(const float* values, const float*, uint64_t count, uint8_t* bytes) {
    uint64_t i = 0;
    for (; i + Simd::kLanes <= count; i += Simd::kLanes) Simd::storeHalf(bytes + i * 2, Simd::load(values + i));
    for (; i < count; ++i) {
        const uint16_t half = steelyard::kernels::floatToHalf(values[i]);
        std::memcpy(bytes + i * sizeof half, &half, sizeof half);
    }
}

void encodeBF16(const float* values, const float*, uint64_t count, uint8_t* bytes) {
    for (uint64_t i = 0; i < count; ++i) {
        const uint16_t half = steelyard::kernels::floatToBfloat16(values[i]);
        std::memcpy(bytes + i * sizeof half, &half, sizeof half);
    }
}

void decodeF16(const uint8_t* bytes, uint64_t count, float* values) {
    uint64_t i = 0;
    for (; i + Simd::kLanes <= count; i += Simd::kLanes) Simd::store(values + i, Simd::loadHalf(bytes + i * 2));
    for (; i < count; ++i) {
        uint16_t half;
        std::memcpy(&half, bytes + i * sizeof half, sizeof half);
        values[i] = steelyard::kernels::halfToFloat(half);
    }
}

void decodeBF16(const uint8_t* bytes, uint64_t count, float* values) {
    for (uint64_t i = 0; i < count; ++i) {
        uint16_t half;
        std::memcpy(&half, bytes + i * sizeof half, sizeof half);
        values[i] = steelyard::kernels::bfloat16ToFloat(half);
    }
}

} // namespace
