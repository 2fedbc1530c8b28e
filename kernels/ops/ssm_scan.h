// The selective state space of Mamba 2: one scalar decay per head and row, a matrix state per head.
//
//   dt = softplus(dtRaw[r, h] + dtBias[h]);  S = exp(dt * a[h]) * S + dt * x[r, h, :] (outer) b[r, g, :]
//   y[r, h, p] = sum_n S[p, n] * c[r, g, n] + d[h] * x[r, h, p],   g = h / (heads / groups)
//   x, b, c   float, parts of rows whose starts lie `stride` values apart: [heads, headDim], [groups, stateDim] twice
//   dtRaw     float [rows, heads];  a, dtBias, d  float [heads] (a as used: negative; dtBias may be 0)
//   y         float [rows, heads, headDim]
//   state     float [heads, headDim, stateDim] of each sequence, at state + run.state * stateStride
//   runs      SequenceRun [sequences] (sequence_runs.h)
// Reads all but y; writes y, state. An item is one value p of one head of one sequence: a row of the state.
// Source: Dao and Gu, "Transformers are SSMs" (the recurrent form).
#pragma once

#include "kernels/ops/sequence_runs.h"

#include <cmath>

namespace steelyard::ops {

struct SsmScan {
    static constexpr const char* name = "ssm_scan";
    uint64_t x;
    uint64_t b;
    uint64_t c;
    uint64_t dtRaw;
    uint64_t dtBias;
    uint64_t a;
    uint64_t d;
    uint64_t y;
    uint64_t state;
    uint64_t runs;
    uint64_t stateStride; // bytes
    uint32_t sequences;
    uint32_t stride;      // values between rows of x, b, c
    uint16_t heads;
    uint16_t groups;
    uint32_t headDim;
    uint32_t stateDim;
    uint32_t reserved;
};
static_assert(isOp<SsmScan>);

__host__ __device__ inline uint32_t items(const SsmScan& op) { return op.sequences * op.heads * op.headDim; }

__host__ __device__ inline float softplus(float value) { return value > 20.0f ? value : std::log1p(std::exp(value)); }

__host__ __device__ inline void compute(const SsmScan& op, uint32_t item) {
    const SequenceRun run = at<const SequenceRun>(op.runs)[item / (op.heads * op.headDim)];
    const uint32_t index = item % (op.heads * op.headDim), head = index / op.headDim, group = head / (op.heads / op.groups);
    float* state = at<float>(op.state + static_cast<uint64_t>(run.state) * op.stateStride) + uint64_t(index) * op.stateDim;
    if (run.rows > 0 && !run.continues)
        for (uint32_t n = 0; n < op.stateDim; ++n) state[n] = 0.0f;
    for (int32_t i = 0; i < run.rows; ++i) {
        const uint64_t row = static_cast<uint64_t>(run.firstRow + i);
        const float raw = at<const float>(op.dtRaw)[row * op.heads + head] + (op.dtBias ? at<const float>(op.dtBias)[head] : 0.0f);
        const float dt = softplus(raw), decay = std::exp(dt * at<const float>(op.a)[head]);
        const float x = at<const float>(op.x)[row * op.stride + index];
        const float* b = at<const float>(op.b) + row * op.stride + uint64_t(group) * op.stateDim;
        const float* c = at<const float>(op.c) + row * op.stride + uint64_t(group) * op.stateDim;
        float sum = 0.0f;
        for (uint32_t n = 0; n < op.stateDim; ++n) {
            state[n] = state[n] * decay + dt * x * b[n];
            sum += state[n] * c[n];
        }
        at<float>(op.y)[row * op.heads * op.headDim + index] = sum + at<const float>(op.d)[head] * x;
    }
}

} // namespace steelyard::ops
