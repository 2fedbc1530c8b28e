// Q8_0 (layout: kernels/quant/q8_0.cuh): a block's largest magnitude becomes code 127, the others are rounded half away
// from zero. The codes are of the exact scale, not of the half that is stored: so the field makes these files.
#include "engine/quant/encoders.h"

#include "kernels/quant/q8_0.cuh"

#include <algorithm>
#include <cmath>

namespace steelyard {

namespace {

constexpr uint32_t kValues = kernels::Q8_0::blockValues;

// std::round, but in instructions that a compiler makes vectors of; |value| is small.
int32_t rounded(float value) {
    const auto whole = static_cast<int32_t>(value);
    const float rest = value - static_cast<float>(whole); // exact
    return whole + (rest >= 0.5f ? 1 : 0) - (rest <= -0.5f ? 1 : 0);
}

} // namespace

void encodeQ8_0(const float* values, const float*, uint64_t count, uint8_t* bytes) {
    for (uint64_t first = 0; first < count; first += kValues, bytes += kernels::Q8_0::blockBytes) {
        float largest = 0.0f;
        for (uint32_t i = 0; i < kValues; ++i)
            largest = std::max(largest, std::fabs(values[first + i]));
        const float scale = largest / 127.0f;
        float inverse = scale != 0.0f ? 1.0f / scale : 0.0f;
        if (!std::isfinite(inverse)) inverse = 0.0f; // of a scale that is nothing as a half
        const uint16_t half = kernels::floatToHalf(scale);
        std::memcpy(bytes, &half, sizeof half);
        for (uint32_t i = 0; i < kValues; ++i)
            bytes[2 + i] = static_cast<uint8_t>(rounded(values[first + i] * inverse));
    }
}

} // namespace steelyard
