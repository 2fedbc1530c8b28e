// Root-mean-square normalisation of rows, with an optional weight.
//
//   y[r, i] = x[r, i] / sqrt(mean_i(x[r, i]^2) + epsilon) * weight[i]
//   x, y    float [rows, columns]; y may be x
//   weight  float [columns], or 0 for all ones
// A row may be a token or one head of a token (query/key norms: rows = tokens * heads, columns = headDim).
// Reads x, weight; writes y. Bound by bandwidth. Source: Zhang and Sennrich, "Root Mean Square Layer Normalization".
#pragma once

#include "kernels/ops/op.h"

#include <cmath>

namespace steelyard::ops {

struct RmsNorm {
    static constexpr const char* name = "rms_norm";
    uint64_t x;
    uint64_t weight;
    uint64_t y;
    uint32_t rows;
    uint32_t columns;
    float epsilon;
    uint32_t reserved;
};
static_assert(isOp<RmsNorm>);

inline uint32_t items(const RmsNorm& op) { return op.rows; }

inline void compute(const RmsNorm& op, uint32_t row) {
    const float* x = at<const float>(op.x) + uint64_t(row) * op.columns;
    const float* weight = at<const float>(op.weight);
    float* y = at<float>(op.y) + uint64_t(row) * op.columns;
    double sum = 0.0;
    for (uint32_t i = 0; i < op.columns; ++i) sum += double(x[i]) * x[i];
    const float scale = 1.0f / std::sqrt(static_cast<float>(sum / op.columns) + op.epsilon);
    for (uint32_t i = 0; i < op.columns; ++i) y[i] = x[i] * scale * (weight ? weight[i] : 1.0f);
}

} // namespace steelyard::ops
