// Limits values smoothly (kernels/ops/soft_cap.h). One thread per value.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/functions.glsl"
#include "include/op.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t x, y;
    uint rows, columns;
    float cap;
    uint reserved;
} op;

void main() {
    const uint64_t i = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (i >= uint64_t(op.rows) * op.columns) return;
    Floats(op.y + i * 4).v[0] = op.cap * safeTanh(ReadFloats(op.x + i * 4).v[0] / op.cap);
}
