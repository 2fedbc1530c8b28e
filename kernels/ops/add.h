// Weighted sum of two arrays of rows: residual connections that no product can absorb, and copies between row widths.
//
//   y[r, i] = scaleA * a[r, i] + scaleB * b[r, i]
//   a, b, y  float rows of `columns` values, whose starts lie aStride, bStride, yStride values apart; y may be a or b where
//            the strides agree. bStride 0 gives every row the one row of b; b may be 0: then y = scaleA * a.
// Reads a, b; writes y.
#pragma once

#include "kernels/ops/op.h"

namespace steelyard::ops {

struct Add {
    static constexpr const char* name = "add";
    uint64_t a;
    uint64_t b;
    uint64_t y;
    uint32_t rows;
    uint32_t columns;
    uint32_t aStride;
    uint32_t bStride;
    uint32_t yStride;
    float scaleA;
    float scaleB;
    uint32_t reserved;
};
static_assert(isOp<Add>);

// The plain sum of contiguous rows.
inline Add sumOf(uint64_t a, uint64_t b, uint64_t y, uint32_t rows, uint32_t columns) {
    return {a, b, y, rows, columns, columns, columns, columns, 1.0f, 1.0f, 0};
}

inline uint32_t items(const Add& op) { return op.rows; }

inline void compute(const Add& op, uint32_t row) {
    const float* a = at<const float>(op.a) + uint64_t(row) * op.aStride;
    const float* b = op.b ? at<const float>(op.b) + uint64_t(row) * op.bStride : nullptr;
    float* y = at<float>(op.y) + uint64_t(row) * op.yStride;
    for (uint32_t i = 0; i < op.columns; ++i) y[i] = op.scaleA * a[i] + (b ? op.scaleB * b[i] : 0.0f);
}

} // namespace steelyard::ops
