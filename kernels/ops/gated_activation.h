// The gated feed-forward's middle: an activation of the gate times the up projection.
//
//   y[r, i] = f(gate[r, i]) * up[r, i],  f = SiLU: g / (1 + exp(-g)), or GELU (tanh form)
//   gate, up, y  float [rows, columns]; y may be gate or up
// Reads gate, up; writes y. Sources: Shazeer, "GLU Variants Improve Transformer"; Hendrycks and Gimpel, "GELUs".
#pragma once

#include "kernels/ops/op.h"

#include <cmath>

namespace steelyard::ops {

enum class GateFunction : uint32_t { Silu = 0, Gelu = 1 };

struct GatedActivation {
    static constexpr const char* name = "gated_activation";
    uint64_t gate;
    uint64_t up;
    uint64_t y;
    uint32_t rows;
    uint32_t columns;
    GateFunction function;
    uint32_t reserved;
};
static_assert(isOp<GatedActivation>);

inline uint32_t items(const GatedActivation& op) { return op.rows; }

__host__ __device__ inline float gateValue(GateFunction function, float g) {
    if (function == GateFunction::Silu) return g / (1.0f + std::exp(-g));
    return 0.5f * g * (1.0f + std::tanh(0.79788456080286535588f * g * (1.0f + 0.044715f * g * g)));
}

inline void compute(const GatedActivation& op, uint32_t row) {
    const uint64_t first = uint64_t(row) * op.columns;
    for (uint64_t i = first; i < first + op.columns; ++i)
        at<float>(op.y)[i] = gateValue(op.function, at<const float>(op.gate)[i]) * at<const float>(op.up)[i];
}

} // namespace steelyard::ops
