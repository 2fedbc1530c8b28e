// Short causal convolution along each sequence, channel by channel, with the last inputs kept as a state.
//
//   y[r, c] = f(sum_{k < width} weight[c, k] * u[r - (width - 1) + k, c] + bias[c]),  f = Silu or Identity
//   u are the sequence's rows of x, before the step's first row the state's
//   x       float rows of `channels` values, starts xStride values apart;  y  float [rows, channels]; never x
//   weight  float [channels, width];  bias  float [channels] or 0
//   state   float [width - 1, channels] of each sequence, oldest first, at state + run.state * stateStride
//   runs    SequenceRun [sequences] (sequence_runs.h)
// Reads x, weight, bias, runs, state; writes y, and the run's last width - 1 inputs to state. width is at most 8. An item is
// one channel of one sequence. Source: Gu and Dao, "Mamba" (the convolution before the scan).
#pragma once

#include "kernels/ops/gated_activation.h"
#include "kernels/ops/sequence_runs.h"

namespace steelyard::ops {

constexpr uint32_t kMaxConvWidth = 8;

struct CausalConv {
    static constexpr const char* name = "causal_conv";
    uint64_t x;
    uint64_t weight;
    uint64_t bias;
    uint64_t y;
    uint64_t state;
    uint64_t runs;
    uint64_t stateStride; // bytes
    uint32_t sequences;
    uint32_t channels;
    uint32_t width;
    uint32_t xStride;
    GateFunction function; // Silu or Identity
    uint32_t reserved;
};
static_assert(isOp<CausalConv>);

__host__ __device__ inline uint32_t items(const CausalConv& op) { return op.sequences * op.channels; }

__host__ __device__ inline void compute(const CausalConv& op, uint32_t item) {
    const SequenceRun run = at<const SequenceRun>(op.runs)[item / op.channels];
    if (run.rows <= 0) return;
    const uint32_t channel = item % op.channels, history = op.width - 1;
    float* state = at<float>(op.state + static_cast<uint64_t>(run.state) * op.stateStride) + channel;
    const float* weight = at<const float>(op.weight) + uint64_t(channel) * op.width;
    float inputs[kMaxConvWidth]; // the last `width` inputs, oldest first
    for (uint32_t k = 0; k < history; ++k) inputs[k] = run.continues ? state[uint64_t(k) * op.channels] : 0.0f;
    for (int32_t i = 0; i < run.rows; ++i) {
        const uint64_t row = static_cast<uint64_t>(run.firstRow + i);
        inputs[history] = at<const float>(op.x)[row * op.xStride + channel];
        float sum = op.bias ? at<const float>(op.bias)[channel] : 0.0f;
        for (uint32_t k = 0; k < op.width; ++k) sum += weight[k] * inputs[k];
        at<float>(op.y)[row * op.channels + channel] = gateValue(op.function, 1.0f, sum);
        for (uint32_t k = 0; k < history; ++k) inputs[k] = inputs[k + 1];
    }
    for (uint32_t k = 0; k < history; ++k) state[uint64_t(k) * op.channels] = inputs[k];
}

} // namespace steelyard::ops
