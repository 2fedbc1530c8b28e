// Product of activation rows with a weight matrix, each output a dot product over the weight's row.
//
//   y[r, o] = sum_k x[r, k] * weight[o, k]  (+ bias[o]) (+ residual[r, o])
//   weight    [outputs, depth] of tensor type `type`; bytes as the device's weight layout `layout` says (0 = as in the file)
//   x         activation Float: float [rows, depth]; activation Int8 or Int8Pair: int8 codes [rows, planes,
//             depth] as written by QuantizeRows with one or two planes
//   xScales, xSums   float [rows, depth / 32] with 8-bit activations, else 0
//   bias      float [outputs] or 0
//   residual  float [rows, outputs] or 0; may be y
//   y         float [rows, outputs]
// Row invariance: the order of summation depends on type and depth, never on rows. Reads weight, x, xScales, xSums, bias,
// residual; writes y. Bound by the weight's bytes for few rows, by arithmetic (2 * rows * outputs * depth) for many.
#pragma once

#include "kernels/ops/op.h"
#include "kernels/ops/quantize_rows.h"
#include "kernels/quant/formats.h"

namespace steelyard::ops {

enum class Activation : uint32_t { Float = 0, Int8 = 1, Int8Pair = 2 };

// Planes of 8-bit codes that an activation has.
__host__ __device__ inline uint32_t planesOf(Activation activation) {
    return activation == Activation::Int8Pair ? 2u : activation == Activation::Int8 ? 1u : 0u;
}

struct MatMul {
    static constexpr const char* name = "mat_mul";
    uint64_t weight;
    uint64_t x;
    uint64_t xScales;
    uint64_t xSums;
    uint64_t bias;
    uint64_t residual;
    uint64_t y;
    uint32_t rows;
    uint32_t outputs;
    uint32_t depth;
    uint32_t type;
    uint32_t layout;
    Activation activation;
};
static_assert(isOp<MatMul>);

inline uint32_t items(const MatMul& op) { return op.outputs; }

// One output column for all rows, layout 0.
inline void compute(const MatMul& op, uint32_t output) {
    const uint8_t* weight = at<const uint8_t>(op.weight) + uint64_t(output) * kernels::rowBytes(op.type, op.depth);
    for (uint32_t row = 0; row < op.rows; ++row) {
        const uint64_t first = uint64_t(row) * op.depth;
        const uint32_t planes = planesOf(op.activation);
        const int8_t* codes = at<const int8_t>(op.x) + first * planes;
        const float sum = planes == 0
                              ? kernels::dotFloat(op.type, weight, at<const float>(op.x) + first, op.depth)
                              : kernels::dotInt8(op.type, weight, codes, at<const float>(op.xScales) + first / 32,
                                                 at<const float>(op.xSums) + first / 32, op.depth,
                                                 planes == 2 ? codes + op.depth : nullptr);
        const uint64_t index = uint64_t(row) * op.outputs + output;
        const float bias = op.bias ? at<const float>(op.bias)[output] : 0.0f;
        const float residual = op.residual ? at<const float>(op.residual)[index] : 0.0f;
        at<float>(op.y)[index] = sum + bias + residual;
    }
}

} // namespace steelyard::ops
