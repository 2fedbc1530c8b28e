// Layer normalisation of rows, with optional weight and bias.
//
//   y[r, i] = (x[r, i] - mean_i x[r, i]) / sqrt(variance_i x[r, i] + epsilon) * weight[r mod weightRows, i] + bias[i]
//   x, y    float [rows, columns]; y may be x
//   weight  float [weightRows, columns], or 0 for all ones;  bias  float [columns], or 0
// Reads x, weight, bias; writes y. Bound by bandwidth. Source: Ba, Kiros and Hinton, "Layer Normalization".
#pragma once

#include "kernels/ops/op.h"

#include <cmath>

namespace steelyard::ops {

struct LayerNorm {
    static constexpr const char* name = "layer_norm";
    uint64_t x;
    uint64_t weight;
    uint64_t bias;
    uint64_t y;
    uint32_t rows;
    uint32_t columns;
    uint32_t weightRows; // at least 1
    float epsilon;
};
static_assert(isOp<LayerNorm>);

__host__ __device__ inline uint32_t items(const LayerNorm& op) { return op.rows; }

__host__ __device__ inline void compute(const LayerNorm& op, uint32_t row) {
    const float* x = at<const float>(op.x) + uint64_t(row) * op.columns;
    const float* weight = op.weight ? at<const float>(op.weight) + uint64_t(row % op.weightRows) * op.columns : nullptr;
    const float* bias = op.bias ? at<const float>(op.bias) : nullptr;
    float* y = at<float>(op.y) + uint64_t(row) * op.columns;
    double sum = 0.0, squares = 0.0;
    for (uint32_t i = 0; i < op.columns; ++i) sum += x[i];
    const float mean = static_cast<float>(sum / op.columns);
    for (uint32_t i = 0; i < op.columns; ++i) squares += double(x[i] - mean) * (x[i] - mean);
    const float factor = 1.0f / std::sqrt(static_cast<float>(squares / op.columns) + op.epsilon);
    for (uint32_t i = 0; i < op.columns; ++i)
        y[i] = (x[i] - mean) * factor * (weight ? weight[i] : 1.0f) + (bias ? bias[i] : 0.0f);
}

} // namespace steelyard::ops
