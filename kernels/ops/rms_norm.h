// Root-mean-square normalisation of rows, with an optional weight.
//
//   y[r, i] = x[r, i] / sqrt(mean_i(x[r, i]^2) + epsilon) * scale * weight[r mod weightRows, i]
//   x, y    float rows of `columns` values, whose starts lie xStride and yStride values apart; y may be x where they agree
//   weight  float [weightRows, columns], or 0 for all ones
// A row may be a token, one head of a token (rows = tokens * heads, columns = headDim) or one group of a token, each with its
// own weights (weightRows = groups). With scale = 1 / sqrt(columns) and a small epsilon rows get length one (L2).
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
    uint32_t xStride;
    uint32_t yStride;
    uint32_t weightRows; // at least 1
    float epsilon;
    float scale;
    uint32_t reserved;
};
static_assert(isOp<RmsNorm>);

// The norm of contiguous rows that share one weight.
inline RmsNorm rmsNormOf(uint64_t x, uint64_t weight, uint64_t y, uint32_t rows, uint32_t columns, float epsilon) {
    return {x, weight, y, rows, columns, columns, columns, 1, epsilon, 1.0f, 0};
}

inline uint32_t items(const RmsNorm& op) { return op.rows; }

inline void compute(const RmsNorm& op, uint32_t row) {
    const float* x = at<const float>(op.x) + uint64_t(row) * op.xStride;
    const float* weight = op.weight ? at<const float>(op.weight) + uint64_t(row % op.weightRows) * op.columns : nullptr;
    float* y = at<float>(op.y) + uint64_t(row) * op.yStride;
    double sum = 0.0;
    for (uint32_t i = 0; i < op.columns; ++i) sum += double(x[i]) * x[i];
    const float factor = op.scale / std::sqrt(static_cast<float>(sum / op.columns) + op.epsilon);
    for (uint32_t i = 0; i < op.columns; ++i) y[i] = x[i] * factor * (weight ? weight[i] : 1.0f);
}

} // namespace steelyard::ops
