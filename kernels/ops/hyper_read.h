// What a layer's part reads from hyper-connections: the residual stream is several streams, and gates that come from the
// streams themselves say how much of each is read, how much of the part's output each gets, and how they mix.
//
//   g = mixes * scale + base, with scale[0] for the first `streams` values, scale[1] for as many more, scale[2] for the rest
//   y[r, :]  = sum_s (sigmoid(g_s) + epsilon) * stream[r, s, :]
//   gates[r, d]                         = 2 sigmoid(g_{streams + d}): how much of the part's output stream d gets
//   gates[r, streams + s * streams + d] = how much of stream s goes to stream d: softmax of g_{2 streams + s streams + d} over
//       d, plus epsilon, made doubly stochastic: divided by its sums over s (plus epsilon), then iterations - 1 times by the
//       sums over d and over s
//   stream   float [rows, streams, columns]
//   mixes    float [rows, (2 + streams) * streams], or with gates = 0 [rows, streams]: then only y is computed
//   scale    float [3], or [1];  base  float like a row of mixes
//   y        float [rows, columns];  gates  float [rows, streams * (1 + streams)] or 0
// At most kMaxStreams streams. Reads stream, mixes, scale, base; writes y, gates. Sources: Zhu et al., "Hyper-Connections";
// Xie et al., "mHC: Manifold-Constrained Hyper-Connections"; Sinkhorn and Knopp, "Concerning nonnegative matrices".
#pragma once

#include "kernels/ops/gated_activation.h"

#include <cmath>

namespace steelyard::ops {

constexpr uint32_t kMaxStreams = 8;

struct HyperRead {
    static constexpr const char* name = "hyper_read";
    uint64_t stream;
    uint64_t mixes;
    uint64_t scale;
    uint64_t base;
    uint64_t y;
    uint64_t gates;
    uint32_t rows;
    uint32_t columns;
    uint32_t streams;
    uint32_t iterations; // at least 1
    float epsilon;
    uint32_t reserved;
};
static_assert(isOp<HyperRead>);

__host__ __device__ inline uint32_t items(const HyperRead& op) { return op.rows; }

// Values of a row of mixes.
__host__ __device__ inline uint32_t mixesOf(const HyperRead& op) { return op.gates ? (2 + op.streams) * op.streams : op.streams; }

// Value i of a row, scaled and shifted.
__host__ __device__ inline float hyperGate(const HyperRead& op, uint32_t row, uint32_t i) {
    const uint32_t group = i / op.streams < 2 ? i / op.streams : 2;
    return at<const float>(op.mixes)[uint64_t(row) * mixesOf(op) + i] * at<const float>(op.scale)[group] + at<const float>(op.base)[i];
}

__host__ __device__ inline float hyperSigmoid(const HyperRead& op, uint32_t row, uint32_t i) {
    return gateValue(GateFunction::Sigmoid, 1.0f, hyperGate(op, row, i));
}

// The mixing matrix of a row: carry[from * streams + to].
__host__ __device__ inline void hyperCarry(const HyperRead& op, uint32_t row, float* carry) {
    const uint32_t n = op.streams;
    for (uint32_t s = 0; s < n; ++s) {
        float largest = -INFINITY, sum = 0.0f;
        for (uint32_t d = 0; d < n; ++d) {
            carry[s * n + d] = hyperGate(op, row, 2 * n + s * n + d);
            largest = std::fmax(largest, carry[s * n + d]);
        }
        for (uint32_t d = 0; d < n; ++d) {
            carry[s * n + d] = std::exp(carry[s * n + d] - largest);
            sum += carry[s * n + d];
        }
        for (uint32_t d = 0; d < n; ++d) carry[s * n + d] = carry[s * n + d] / sum + op.epsilon;
    }
    for (uint32_t iteration = 0; iteration < op.iterations; ++iteration) {
        for (uint32_t s = 0; s < n && iteration > 0; ++s) {
            float sum = op.epsilon;
            for (uint32_t d = 0; d < n; ++d) sum += carry[s * n + d];
            for (uint32_t d = 0; d < n; ++d) carry[s * n + d] /= sum;
        }
        for (uint32_t d = 0; d < n; ++d) {
            float sum = op.epsilon;
            for (uint32_t s = 0; s < n; ++s) sum += carry[s * n + d];
            for (uint32_t s = 0; s < n; ++s) carry[s * n + d] /= sum;
        }
    }
}

inline void compute(const HyperRead& op, uint32_t row) {
    const uint32_t n = op.streams;
    float read[kMaxStreams];
    for (uint32_t s = 0; s < n; ++s) read[s] = hyperSigmoid(op, row, s) + op.epsilon;
    const float* stream = at<const float>(op.stream) + uint64_t(row) * n * op.columns;
    float* y = at<float>(op.y) + uint64_t(row) * op.columns;
    for (uint32_t i = 0; i < op.columns; ++i) {
        float sum = 0.0f;
        for (uint32_t s = 0; s < n; ++s) sum += read[s] * stream[uint64_t(s) * op.columns + i];
        y[i] = sum;
    }
    if (!op.gates) return;
    float* gates = at<float>(op.gates) + uint64_t(row) * n * (1 + n);
    for (uint32_t d = 0; d < n; ++d) gates[d] = 2.0f * hyperSigmoid(op, row, n + d);
    hyperCarry(op, row, gates + n);
}

} // namespace steelyard::ops
