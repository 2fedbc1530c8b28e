// The weighted sum of what a row's experts gave.
//
//   y[r, i] = sum_s weights[r, s] * x[r, s, i]  (+ residual[r, i]);  summed in the order of s
//   x         float [rows, slots, columns]
//   weights   float [rows, slots], or 0 for all ones
//   residual  float [rows, columns] or 0; may be y
//   y         float [rows, columns]
// Reads x, weights, residual; writes y. Bound by bandwidth.
#pragma once

#include "kernels/ops/op.h"

namespace steelyard::ops {

struct CombineExperts {
    static constexpr const char* name = "combine_experts";
    uint64_t x;
    uint64_t weights;
    uint64_t residual;
    uint64_t y;
    uint32_t rows;
    uint32_t slots;
    uint32_t columns;
    uint32_t reserved;
};
static_assert(isOp<CombineExperts>);

__host__ __device__ inline uint32_t items(const CombineExperts& op) { return op.rows; }

__host__ __device__ inline void compute(const CombineExperts& op, uint32_t row) {
    const float* x = at<const float>(op.x) + uint64_t(row) * op.slots * op.columns;
    const float* weights = op.weights ? at<const float>(op.weights) + uint64_t(row) * op.slots : nullptr;
    for (uint32_t i = 0; i < op.columns; ++i) {
        float sum = 0.0f;
        for (uint32_t slot = 0; slot < op.slots; ++slot) sum += (weights ? weights[slot] : 1.0f) * x[uint64_t(slot) * op.columns + i];
        const uint64_t index = uint64_t(row) * op.columns + i;
        at<float>(op.y)[index] = sum + (op.residual ? at<const float>(op.residual)[index] : 0.0f);
    }
}

} // namespace steelyard::ops
