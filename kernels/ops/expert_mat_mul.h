// Products of each row with the matrices of its experts, or of each head with its own matrix.
//
//   y[r, s, o] = sum_k x[r, s or 0, k] * weight[id, o, k]  (+ bias[id, o]),  id = ids[r, s], or s where ids is 0
//   weight    `experts` matrices [outputs, depth] of tensor type `type`, expertStride bytes apart, each in the device's weight
//             layout `layout` (as MatMul's)
//   x         as MatMul's, with rows [rows, inputSlots]; inputSlots is `slots`, or 1: all slots read the same row
//   xScales, xSums   as MatMul's
//   ids       int32 [rows, slots] or 0; an id outside [0, experts) gives zeros
//   bias      float [experts, outputs] or 0
//   y         float [rows, slots, outputs], the starts of (row, slot) yStride values apart (at least outputs)
// Row invariance as MatMul's. Reads weight, x, xScales, xSums, ids, bias; writes y. Bound by the bytes of the experts used.
#pragma once

#include "kernels/ops/mat_mul.h"

namespace steelyard::ops {

struct ExpertMatMul {
    static constexpr const char* name = "expert_mat_mul";
    uint64_t weight;
    uint64_t x;
    uint64_t xScales;
    uint64_t xSums;
    uint64_t ids;
    uint64_t bias;
    uint64_t y;
    uint64_t expertStride;
    uint32_t rows;
    uint32_t slots;
    uint32_t inputSlots; // slots or 1
    uint32_t experts;
    uint32_t outputs;
    uint32_t depth;
    uint32_t yStride;
    uint32_t type;
    uint32_t layout;
    Activation activation;
};
static_assert(isOp<ExpertMatMul>);

__host__ __device__ inline uint32_t items(const ExpertMatMul& op) { return op.rows * op.slots; }

// The product of one (row, slot) as a product of one row; its y is where the result belongs.
__host__ __device__ inline MatMul productOf(const ExpertMatMul& op, uint32_t item, uint32_t expert) {
    const uint64_t input = op.inputSlots == 1 ? item / op.slots : item;
    const uint64_t valueBytes = op.activation == Activation::Float ? sizeof(float) : planesOf(op.activation);
    MatMul product{};
    product.weight = op.weight + expert * op.expertStride;
    product.x = op.x + input * op.depth * valueBytes;
    product.xScales = op.xScales ? op.xScales + input * (op.depth / 32) * sizeof(float) : 0;
    product.xSums = op.xSums ? op.xSums + input * (op.depth / 32) * sizeof(float) : 0;
    product.bias = op.bias ? op.bias + uint64_t(expert) * op.outputs * sizeof(float) : 0;
    product.y = op.y + uint64_t(item) * op.yStride * sizeof(float);
    product.rows = 1;
    product.outputs = op.outputs;
    product.depth = op.depth;
    product.type = op.type;
    product.layout = op.layout;
    product.activation = op.activation;
    return product;
}

// The expert of one (row, slot); -1 for none.
__host__ __device__ inline int32_t expertOf(const ExpertMatMul& op, uint32_t item) {
    const int32_t id = op.ids ? at<const int32_t>(op.ids)[item] : static_cast<int32_t>(item % op.slots);
    return id >= 0 && static_cast<uint32_t>(id) < op.experts ? id : -1;
}

// One (row, slot), layout 0.
inline void compute(const ExpertMatMul& op, uint32_t item) {
    const int32_t expert = expertOf(op, item);
    if (expert < 0) {
        float* y = at<float>(op.y) + uint64_t(item) * op.yStride;
        for (uint32_t i = 0; i < op.outputs; ++i) y[i] = 0.0f;
        return;
    }
    const MatMul product = productOf(op, item, static_cast<uint32_t>(expert));
    for (uint32_t output = 0; output < op.outputs; ++output) compute(product, output);
}

} // namespace steelyard::ops
