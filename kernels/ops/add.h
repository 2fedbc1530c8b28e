// Sum of two arrays of rows: residual connections that no product can absorb.
//
//   y[r, i] = a[r, i] + b[r, i];  all float [rows, columns]; y may be a or b
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
};
static_assert(isOp<Add>);

inline uint32_t items(const Add& op) { return op.rows; }

inline void compute(const Add& op, uint32_t row) {
    const uint64_t first = uint64_t(row) * op.columns;
    for (uint64_t i = first; i < first + op.columns; ++i)
        at<float>(op.y)[i] = at<const float>(op.a)[i] + at<const float>(op.b)[i];
}

} // namespace steelyard::ops
