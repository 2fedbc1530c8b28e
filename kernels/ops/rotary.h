// Rotary position embedding, in place, on the first `dimensions` values of each head.
//
//   pair j of a head is (2j, 2j + 1) in mode Adjacent and (j, j + dimensions / 2) in mode Halves
//   theta_j = base^(-2j / dimensions) / factors[j];   angle = position * theta_j * mix, where position is that of the row less
//   its remainder by `ratio` (1: the row's own; a compressed key stands where its group begins), and with YaRN
//   (extrapolation > 0) mix blends interpolation (frequencyScale) and extrapolation (1) by a ramp between the pairs correctionLow and
//   correctionHigh, and the rotated values are multiplied by `magnitude`; direction 1 turns forward, -1 back
//   x          float [rows, heads, headDim]
//   positions  int32 [rows]
//   factors    float [dimensions / 2] or 0 (long-context factors of the file)
// Reads x, positions, factors; writes x. Sources: Su et al., "RoFormer"; Peng et al., "YaRN".
#pragma once

#include "kernels/ops/op.h"

#include <cmath>

namespace steelyard::ops {

enum class RotaryMode : uint32_t { Adjacent = 0, Halves = 1 };

struct Rotary {
    static constexpr const char* name = "rotary";
    uint64_t x;
    uint64_t positions;
    uint64_t factors;
    uint32_t rows;
    uint32_t heads;
    uint32_t headDim;
    uint32_t dimensions;
    RotaryMode mode;
    float base;
    float frequencyScale;
    float extrapolation;
    float magnitude;
    float correctionLow;
    float correctionHigh;
    float direction;
    uint32_t ratio; // at least 1
    uint32_t reserved;
};
static_assert(isOp<Rotary>);

// The position that row r turns by.
__host__ __device__ inline uint32_t rotaryPosition(const Rotary& op, uint32_t row) {
    const uint32_t position = static_cast<uint32_t>(at<const int32_t>(op.positions)[row]);
    return position - position % op.ratio;
}

inline uint32_t items(const Rotary& op) { return op.rows * op.heads; }

inline void compute(const Rotary& op, uint32_t item) {
    float* x = at<float>(op.x) + uint64_t(item) * op.headDim;
    const float* factors = at<const float>(op.factors);
    const float position = static_cast<float>(rotaryPosition(op, item / op.heads));
    const uint32_t half = op.dimensions / 2;
    for (uint32_t j = 0; j < half; ++j) {
        const float exponent = -2.0f * static_cast<float>(j) / static_cast<float>(op.dimensions);
        const float extrapolated = position * std::pow(op.base, exponent) / (factors ? factors[j] : 1.0f);
        float angle = extrapolated * op.frequencyScale;
        if (op.extrapolation > 0.0f) {
            const float width = std::fmax(0.001f, op.correctionHigh - op.correctionLow);
            const float ramp = (static_cast<float>(j) - op.correctionLow) / width;
            const float mix = (1.0f - std::fmin(1.0f, std::fmax(0.0f, ramp))) * op.extrapolation;
            angle = angle * (1.0f - mix) + extrapolated * mix;
        }
        const float cosine = std::cos(angle) * op.magnitude, sine = std::sin(angle) * op.magnitude * op.direction;
        const uint32_t first = op.mode == RotaryMode::Adjacent ? 2 * j : j;
        const uint32_t second = op.mode == RotaryMode::Adjacent ? 2 * j + 1 : j + half;
        const float a = x[first], b = x[second];
        x[first] = a * cosine - b * sine;
        x[second] = a * sine + b * cosine;
    }
}

} // namespace steelyard::ops
