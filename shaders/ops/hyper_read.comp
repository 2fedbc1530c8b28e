// What a layer's part reads from the streams, and the gates of what it gives (kernels/ops/hyper_read.h). One work group per
// row: every thread sums up columns, the last one makes the mixing matrix.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/functions.glsl"
#include "include/op.glsl"

layout(constant_id = 0) const uint THREADS = 64;
layout(constant_id = 1) const uint STREAMS = 4;
layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t stream, mixes, scale, base, y, gates;
    uint rows, columns, streams, iterations;
    float epsilon;
    uint reserved;
} op;

const float LOWEST = -3.0e38;

float gateOf(uint row, uint i) {
    const uint values = op.gates != 0ul ? (2u + STREAMS) * STREAMS : STREAMS;
    return ReadFloats(op.mixes + rowOffset(row, values)).v[i] * ReadFloats(op.scale).v[min(i / STREAMS, 2u)] + ReadFloats(op.base).v[i];
}

// Writes the mixing matrix of a row, doubly stochastic.
void makeCarry(uint row, Floats target) {
    float carry[STREAMS * STREAMS];
    for (uint s = 0u; s < STREAMS; ++s) {
        float largest = LOWEST, sum = 0.0;
        for (uint d = 0u; d < STREAMS; ++d) {
            carry[s * STREAMS + d] = gateOf(row, 2u * STREAMS + s * STREAMS + d);
            largest = max(largest, carry[s * STREAMS + d]);
        }
        for (uint d = 0u; d < STREAMS; ++d) {
            carry[s * STREAMS + d] = exp(carry[s * STREAMS + d] - largest);
            sum += carry[s * STREAMS + d];
        }
        for (uint d = 0u; d < STREAMS; ++d) carry[s * STREAMS + d] = carry[s * STREAMS + d] / sum + op.epsilon;
    }
    for (uint iteration = 0u; iteration < op.iterations; ++iteration) {
        for (uint s = 0u; s < STREAMS && iteration > 0u; ++s) {
            float sum = op.epsilon;
            for (uint d = 0u; d < STREAMS; ++d) sum += carry[s * STREAMS + d];
            for (uint d = 0u; d < STREAMS; ++d) carry[s * STREAMS + d] /= sum;
        }
        for (uint d = 0u; d < STREAMS; ++d) {
            float sum = op.epsilon;
            for (uint s = 0u; s < STREAMS; ++s) sum += carry[s * STREAMS + d];
            for (uint s = 0u; s < STREAMS; ++s) carry[s * STREAMS + d] /= sum;
        }
    }
    for (uint i = 0u; i < STREAMS * STREAMS; ++i) target.v[i] = carry[i];
}

void main() {
    const uint row = workGroup(), thread = gl_LocalInvocationIndex;
    if (row >= op.rows) return;
    float read[STREAMS];
    for (uint s = 0u; s < STREAMS; ++s) read[s] = sigmoid(gateOf(row, s)) + op.epsilon;
    ReadFloats stream = ReadFloats(op.stream + rowOffset(row, STREAMS * op.columns));
    Floats y = Floats(op.y + rowOffset(row, op.columns));
    for (uint i = thread; i < op.columns; i += THREADS) {
        float sum = 0.0;
        for (uint s = 0u; s < STREAMS; ++s) sum = fma(read[s], stream.v[s * op.columns + i], sum);
        y.v[i] = sum;
    }
    if (op.gates == 0ul || thread != THREADS - 1u) return;
    const uint64_t gates = op.gates + rowOffset(row, STREAMS * (1u + STREAMS));
    for (uint d = 0u; d < STREAMS; ++d) Floats(gates).v[d] = 2.0 * sigmoid(gateOf(row, STREAMS + d));
    makeCarry(row, Floats(gates + uint64_t(STREAMS) * 4));
}
