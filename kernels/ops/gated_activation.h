// An activation of a gate times a value: the middle of a gated feed-forward, output gates, and plain activations.
//
//   y[r, i] = f(gate[r, i or 0]) * (up[r / upRepeat, i] + upOffset)
//   f = Silu g / (1 + exp(-slope * g)), Gelu (tanh form), Sigmoid, ReluSquared max(g, 0)^2, Identity,
//       Softplus ln(1 + exp(g))
//   with limit > 0: the gate is at most limit, and up lies between -limit and limit
//   gate  float rows of gateColumns values (`columns`, or 1: one gate for the whole row), starts gateStride values apart
//   up    float rows of `columns` values, starts upStride apart (0: one row for all), or address 0: then y = f(gate); row r
//         reads row r / upRepeat
//   y     float rows of `columns` values, starts yStride apart; may be gate or up where strides and rows agree
// Reads gate, up; writes y. Sources: Shazeer, "GLU Variants Improve Transformer"; Hendrycks and Gimpel, "GELUs"; So et al.,
// "Primer" (squared ReLU).
#pragma once

#include "kernels/ops/op.h"

#include <cmath>

namespace steelyard::ops {

enum class GateFunction : uint32_t { Silu = 0, Gelu = 1, Sigmoid = 2, ReluSquared = 3, Identity = 4, Softplus = 5 };

struct GatedActivation {
    static constexpr const char* name = "gated_activation";
    uint64_t gate;
    uint64_t up;
    uint64_t y;
    uint32_t rows;
    uint32_t columns;
    GateFunction function;
    uint32_t gateColumns; // columns or 1
    uint32_t gateStride;
    uint32_t upStride;
    uint32_t yStride;
    uint32_t upRepeat;    // at least 1
    float slope;          // of Silu: 1, or what the model says
    float limit;          // 0 = none
    float upOffset;
    uint32_t reserved;
};
static_assert(isOp<GatedActivation>);

// The ordinary case: contiguous rows of equal width.
inline GatedActivation gatedActivationOf(uint64_t gate, uint64_t up, uint64_t y, uint32_t rows, uint32_t columns, GateFunction function) {
    return {gate, up, y, rows, columns, function, columns, columns, columns, columns, 1, 1.0f, 0.0f, 0.0f, 0};
}

inline uint32_t items(const GatedActivation& op) { return op.rows; }

__host__ __device__ inline float gateValue(GateFunction function, float slope, float g) {
    switch (function) {
    case GateFunction::Silu: return g / (1.0f + std::exp(-slope * g));
    case GateFunction::Gelu: return 0.5f * g * (1.0f + std::tanh(0.79788456080286535588f * g * (1.0f + 0.044715f * g * g)));
    case GateFunction::Sigmoid: return 1.0f / (1.0f + std::exp(-g));
    case GateFunction::ReluSquared: return g > 0.0f ? g * g : 0.0f;
    case GateFunction::Identity: return g;
    case GateFunction::Softplus: return g > 20.0f ? g : std::log1p(std::exp(g));
    }
    return g;
}

// One value; `up` is 1 where the op has none.
__host__ __device__ inline float gatedValue(const GatedActivation& op, float gate, float up) {
    if (op.limit > 0.0f) {
        gate = std::fmin(gate, op.limit);
        if (op.up) up = std::fmax(-op.limit, std::fmin(up, op.limit));
    }
    return gateValue(op.function, op.slope, gate) * (up + op.upOffset);
}

inline void compute(const GatedActivation& op, uint32_t row) {
    const float* gate = at<const float>(op.gate) + uint64_t(row) * op.gateStride;
    const float* up = op.up ? at<const float>(op.up) + uint64_t(row / op.upRepeat) * op.upStride : nullptr;
    float* y = at<float>(op.y) + uint64_t(row) * op.yStride;
    const float first = gate[0]; // y may be the gate
    for (uint32_t i = 0; i < op.columns; ++i)
        y[i] = gatedValue(op, op.gateColumns == 1 ? first : gate[i], up ? up[i] : 1.0f);
}

} // namespace steelyard::ops
