// Compresses the keys of each group of positions into one (kernels/ops/compress_keys.h). One thread per channel of a sequence,
// which takes the run's rows in order.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"
#include "include/runs.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t values, scores, bias, y, state, positions, runs, stateStride;
    uint sequences, channels, ratio, overlap;
} op;

const float LOWEST = -3.0e38;

// The mean of the group that ends at a position; state, from the channel in ring slot 0 on.
float meanOf(uint position, uint width, uint ring, ReadFloats values, ReadFloats scores) {
    const uint span = op.overlap != 0u && position + 1u > op.ratio ? 2u * op.ratio : op.ratio;
    float largest = LOWEST, sum = 0.0, mean = 0.0;
    for (uint pass = 0u; pass < 2u; ++pass) {
        for (uint j = 0u; j < span; ++j) { // oldest first
            const bool own = j + op.ratio >= span;
            const uint place = (position + 1u - span + j) % ring * width + (op.overlap != 0u && own ? op.channels : 0u);
            if (pass == 0u) {
                largest = max(largest, scores.v[place]);
                continue;
            }
            const float weight = exp(scores.v[place] - largest);
            sum += weight;
            mean = fma(weight, values.v[place], mean);
        }
    }
    return mean / sum;
}

void main() {
    const uint64_t index = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (index >= uint64_t(op.sequences) * op.channels) return;
    const uint sequence = uint(index / op.channels), channel = uint(index % op.channels);
    const Run run = loadRun(op.runs, sequence);
    const uint halves = op.overlap != 0u ? 2u : 1u, width = halves * op.channels, ring = halves * op.ratio;
    const uint64_t values = op.state + uint64_t(run.state) * op.stateStride + uint64_t(channel) * 4;
    const uint64_t scores = values + rowOffset(ring, width);
    for (uint i = 0u; i < run.rows; ++i) {
        const uint row = run.firstRow + i, position = uint(ReadInts(op.positions).v[row]);
        for (uint part = 0u; part < halves; ++part) {
            const uint column = part * op.channels, place = position % ring * width + column;
            const float bias = ReadFloats(op.bias + rowOffset(position % op.ratio, width)).v[column + channel];
            Floats(values).v[place] = ReadFloats(op.values + rowOffset(row, width)).v[column + channel];
            Floats(scores).v[place] = ReadFloats(op.scores + rowOffset(row, width)).v[column + channel] + bias;
        }
        const bool ends = (position + 1u) % op.ratio == 0u;
        Floats(op.y + rowOffset(row, op.channels)).v[channel] = ends ? meanOf(position, width, ring, ReadFloats(values), ReadFloats(scores)) : 0.0;
    }
}
