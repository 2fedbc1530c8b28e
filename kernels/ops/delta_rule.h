// The gated delta rule: linear attention whose matrix state forgets by a gate and corrects what it holds for a key.
//
//   S = exp(gate[r, h, k]) * S (by key channel k, or one gate for all);  e = beta[r, h] * (v[r, h, :] - S k)
//   S = S + e (outer) k;   y[r, h, :] = scale * S q       (S is [headDimV, headDimK])
//   q, k    float [rows, keyHeads, headDimK], as used (normalised);  v  float [rows, valueHeads, headDimV]
//           value head h reads key head h / (valueHeads / keyHeads), with `tiled` h mod keyHeads
//   gate    float [rows, valueHeads, gateColumns], at most 0; gateColumns is 1 or headDimK
//   beta    float [rows, valueHeads]
//   y       float [rows, valueHeads, headDimV]
//   state   float [valueHeads, headDimV, headDimK] of each sequence, at state + run.state * stateStride
//   runs    SequenceRun [sequences] (sequence_runs.h)
// Reads all but y; writes y, state. headDimK is at most 256. An item is one value of one head of one sequence: a row of S.
// Sources: Yang et al., "Gated Delta Networks"; Kimi Team, "Kimi Linear" (a gate per channel).
#pragma once

#include "kernels/ops/sequence_runs.h"

#include <cmath>

namespace steelyard::ops {

struct DeltaRule {
    static constexpr const char* name = "delta_rule";
    uint64_t q;
    uint64_t k;
    uint64_t v;
    uint64_t gate;
    uint64_t beta;
    uint64_t y;
    uint64_t state;
    uint64_t runs;
    uint64_t stateStride; // bytes
    uint32_t sequences;
    uint32_t keyHeads;
    uint32_t valueHeads;
    uint32_t headDimK;
    uint32_t headDimV;
    uint32_t gateColumns;
    uint32_t tiled; // 0 or 1
    float scale;
};
static_assert(isOp<DeltaRule>);

__host__ __device__ inline uint32_t items(const DeltaRule& op) { return op.sequences * op.valueHeads * op.headDimV; }

__host__ __device__ inline uint32_t keyHeadOf(const DeltaRule& op, uint32_t head) {
    return op.tiled ? head % op.keyHeads : head / (op.valueHeads / op.keyHeads);
}

__host__ __device__ inline void compute(const DeltaRule& op, uint32_t item) {
    const uint32_t perSequence = op.valueHeads * op.headDimV, index = item % perSequence, head = index / op.headDimV;
    const SequenceRun run = at<const SequenceRun>(op.runs)[item / perSequence];
    float* state = at<float>(op.state + static_cast<uint64_t>(run.state) * op.stateStride) + uint64_t(index) * op.headDimK;
    if (run.rows > 0 && !run.continues)
        for (uint32_t i = 0; i < op.headDimK; ++i) state[i] = 0.0f;
    for (int32_t i = 0; i < run.rows; ++i) {
        const uint64_t row = static_cast<uint64_t>(run.firstRow + i);
        const uint64_t keyRow = (row * op.keyHeads + keyHeadOf(op, head)) * op.headDimK;
        const float* q = at<const float>(op.q) + keyRow;
        const float* k = at<const float>(op.k) + keyRow;
        const float* gate = at<const float>(op.gate) + (row * op.valueHeads + head) * op.gateColumns;
        float held = 0.0f, sum = 0.0f;
        for (uint32_t j = 0; j < op.headDimK; ++j) {
            state[j] *= std::exp(gate[op.gateColumns == 1 ? 0 : j]);
            held += state[j] * k[j];
        }
        const float error = (at<const float>(op.v)[row * perSequence + index] - held) *
                            at<const float>(op.beta)[row * op.valueHeads + head];
        for (uint32_t j = 0; j < op.headDimK; ++j) {
            state[j] += error * k[j];
            sum += state[j] * q[j];
        }
        at<float>(op.y)[row * perSequence + index] = sum * op.scale;
    }
}

} // namespace steelyard::ops
