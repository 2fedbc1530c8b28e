// Limits values smoothly: y = cap * tanh(x / cap). Used on the logits of Gemma 2.
//
//   x, y  float [rows, columns]; y may be x
// Reads x; writes y.
#pragma once

#include "kernels/ops/op.h"

#include <cmath>

namespace steelyard::ops {

struct SoftCap {
    static constexpr const char* name = "soft_cap";
    uint64_t x;
    uint64_t y;
    uint32_t rows;
    uint32_t columns;
    float cap;
    uint32_t reserved;
};
static_assert(isOp<SoftCap>);

inline uint32_t items(const SoftCap& op) { return op.rows; }

inline void compute(const SoftCap& op, uint32_t row) {
    const uint64_t first = uint64_t(row) * op.columns;
    for (uint64_t i = first; i < first + op.columns; ++i)
        at<float>(op.y)[i] = op.cap * std::tanh(at<const float>(op.x)[i] / op.cap);
}

} // namespace steelyard::ops
