// Q8_0 (layout: kernels/quant/q8_0.cuh): a block's largest magnitude becomes code 127, the others are rounded half away
// from zero. The codes are of the exact scale, not of the half that is stored: so the field makes these files.
#pragma once

#include "kernels/device/half.h"
#include "kernels/quant/q8_0.cuh"

#include <algorithm>
#include <cmath>

namespace {

// std::round, but in instructions that a compiler makes vectors of; |value| is small.
inline int32_t roundedAway(float value) {
    const auto whole = static_cast<int32_t>(value);
    const float rest = value - static_cast<float>(whole); // exact
    return whole + (rest >= 0.5f ? 1 : 0) - (rest <= -0.5f ? 1 : 0);
}

void encodeQ8_0(const float* values, const float*, uint64_t count, uint8_t* bytes) {
    using Format = steelyard::kernels::Q8_0;
    constexpr uint32_t kValues = Format::blockValues;
    for (uint64_t first = 0; first < count; first += kValues, bytes += Format::blockBytes) {
        const float* block = values + first;
        Floats most = Simd::zero();
        for (uint32_t i = 0; i < kValues; i += Simd::kLanes) most = Simd::max(most, Simd::abs(Simd::load(block + i)));
        const float scale = Simd::largest(most) / 127.0f;
        float inverse = scale != 0.0f ? 1.0f / scale : 0.0f;
        if (!std::isfinite(inverse)) inverse = 0.0f; // of a scale that is nothing as a half
        steelyard::kernels::writeU16(bytes, steelyard::kernels::floatToHalf(scale));
        for (uint32_t i = 0; i < kValues; ++i) bytes[2 + i] = static_cast<uint8_t>(roundedAway(block[i] * inverse));
    }
}

} // namespace
