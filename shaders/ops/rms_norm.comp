// Root-mean-square normalisation (kernels/ops/rms_norm.h). One work group per row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

layout(constant_id = 0) const uint THREADS = 64;
layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t x, weight, y;
    uint rows, columns, xStride, yStride, weightRows;
    float epsilon, scale;
    uint reserved;
} op;

#include "include/reduce.glsl"

void main() {
    const uint row = workGroup();
    if (row >= op.rows) return;
    ReadFloats x = ReadFloats(op.x + rowOffset(row, op.xStride));
    float sum = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < op.columns; i += THREADS) {
        const float value = x.v[i];
        sum = fma(value, value, sum);
    }
    const float scale = op.scale / sqrt(groupSum(sum) / float(op.columns) + op.epsilon);
    Floats y = Floats(op.y + rowOffset(row, op.yStride));
    ReadFloats weight = ReadFloats(op.weight + rowOffset(row % op.weightRows, op.columns));
    if (op.weight == 0ul) {
        for (uint i = gl_LocalInvocationIndex; i < op.columns; i += THREADS) y.v[i] = x.v[i] * scale;
    } else {
        for (uint i = gl_LocalInvocationIndex; i < op.columns; i += THREADS) y.v[i] = x.v[i] * scale * weight.v[i];
    }
}
