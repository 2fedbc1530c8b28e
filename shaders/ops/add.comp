// Sum of two arrays of rows (kernels/ops/add.h). One thread per value.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t a, b, y;
    uint rows, columns;
} op;

void main() {
    const uint64_t i = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (i >= uint64_t(op.rows) * op.columns) return;
    Floats(op.y + i * 4).v[0] = ReadFloats(op.a + i * 4).v[0] + ReadFloats(op.b + i * 4).v[0];
}
