// Short causal convolution along each sequence (kernels/ops/causal_conv.h). One thread per channel of a sequence, which
// keeps the channel's last inputs in registers.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/gate.glsl"
#include "include/op.glsl"
#include "include/runs.glsl"

layout(constant_id = 1) const uint WIDTH = 4;
layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t x, weight, bias, y, state, runs, stateStride;
    uint sequences, channels, width, xStride, function, reserved;
} op;

void main() {
    const uint64_t index = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (index >= uint64_t(op.sequences) * op.channels) return;
    const uint sequence = uint(index / op.channels), channel = uint(index % op.channels);
    const Run run = loadRun(op.runs, sequence);
    if (run.rows == 0u) return;
    Floats state = Floats(op.state + uint64_t(run.state) * op.stateStride + uint64_t(channel) * 4);
    float weights[WIDTH], inputs[WIDTH]; // the last inputs, oldest first
    for (uint k = 0u; k < WIDTH; ++k) weights[k] = ReadFloats(op.weight + rowOffset(channel, WIDTH)).v[k];
    for (uint k = 0u; k + 1u < WIDTH; ++k) inputs[k] = run.continues ? state.v[k * op.channels] : 0.0;
    const float bias = op.bias != 0ul ? ReadFloats(op.bias).v[channel] : 0.0;
    for (uint i = 0u; i < run.rows; ++i) {
        const uint row = run.firstRow + i;
        inputs[WIDTH - 1u] = ReadFloats(op.x + rowOffset(row, op.xStride)).v[channel];
        float sum = bias;
        for (uint k = 0u; k < WIDTH; ++k) sum = fma(weights[k], inputs[k], sum);
        Floats(op.y + rowOffset(row, op.channels)).v[channel] = gateValue(op.function, 1.0, sum);
        for (uint k = 0u; k + 1u < WIDTH; ++k) inputs[k] = inputs[k + 1u];
    }
    for (uint k = 0u; k + 1u < WIDTH; ++k) state.v[k * op.channels] = inputs[k];
}
