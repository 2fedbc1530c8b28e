// Sum of two arrays of rows (kernels/ops/add.h). One thread per value.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t a, b, y;
    uint rows, columns, aStride, bStride, yStride;
    float scaleA, scaleB;
    uint reserved;
} op;

void main() {
    const uint64_t index = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (index >= uint64_t(op.rows) * op.columns) return;
    const uint row = uint(index / op.columns), i = uint(index % op.columns);
    float y = op.scaleA * ReadFloats(op.a + rowOffset(row, op.aStride)).v[i];
    if (op.b != 0ul) y += op.scaleB * ReadFloats(op.b + rowOffset(row, op.bStride)).v[i];
    Floats(op.y + rowOffset(row, op.yStride)).v[i] = y;
}
