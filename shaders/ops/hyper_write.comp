// A part's output spread over the streams, which mix (kernels/ops/hyper_write.h). One thread per column of a row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

layout(constant_id = 1) const uint STREAMS = 4;
layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t x, gates, stream;
    uint rows, columns, streams, reserved;
} op;

void main() {
    const uint64_t index = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (index >= uint64_t(op.rows) * op.columns) return;
    const uint row = uint(index / op.columns), column = uint(index - uint64_t(row) * op.columns);
    ReadFloats gates = ReadFloats(op.gates + rowOffset(row, STREAMS * (1u + STREAMS)));
    const float x = ReadFloats(op.x + rowOffset(row, op.columns)).v[column];
    Floats stream = Floats(op.stream + rowOffset(row, STREAMS * op.columns));
    float before[STREAMS];
    for (uint s = 0u; s < STREAMS; ++s) before[s] = stream.v[s * op.columns + column];
    for (uint d = 0u; d < STREAMS; ++d) {
        float sum = gates.v[d] * x;
        for (uint s = 0u; s < STREAMS; ++s) sum = fma(gates.v[STREAMS + s * STREAMS + d], before[s], sum);
        stream.v[d * op.columns + column] = sum;
    }
}
