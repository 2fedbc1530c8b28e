// What a layer's part gives to hyper-connections: its output spreads over the streams, which mix (gates: hyper_read.h).
//
//   stream'[r, d, :] = gates[r, d] * x[r, :] + sum_s gates[r, streams + s * streams + d] * stream[r, s, :], in place
//   x       float [rows, columns]
//   gates   float [rows, streams * (1 + streams)]
//   stream  float [rows, streams, columns]
// At most kMaxStreams streams. Reads x, gates, stream; writes stream. Bound by the bytes of the streams. An item is one
// column of one row. Source: Zhu et al., "Hyper-Connections".
#pragma once

#include "kernels/ops/hyper_read.h"

namespace steelyard::ops {

struct HyperWrite {
    static constexpr const char* name = "hyper_write";
    uint64_t x;
    uint64_t gates;
    uint64_t stream;
    uint32_t rows;
    uint32_t columns;
    uint32_t streams;
    uint32_t reserved;
};
static_assert(isOp<HyperWrite>);

__host__ __device__ inline uint32_t items(const HyperWrite& op) { return op.rows * op.columns; }

__host__ __device__ inline void compute(const HyperWrite& op, uint32_t item) {
    const uint32_t row = item / op.columns, column = item % op.columns, n = op.streams;
    const float* gates = at<const float>(op.gates) + uint64_t(row) * n * (1 + n);
    const float x = at<const float>(op.x)[item];
    float* stream = at<float>(op.stream) + uint64_t(row) * n * op.columns + column;
    float before[kMaxStreams];
    for (uint32_t s = 0; s < n; ++s) before[s] = stream[uint64_t(s) * op.columns];
    for (uint32_t d = 0; d < n; ++d) {
        float sum = gates[d] * x;
        for (uint32_t s = 0; s < n; ++s) sum += gates[n + s * n + d] * before[s];
        stream[uint64_t(d) * op.columns] = sum;
    }
}

} // namespace steelyard::ops
