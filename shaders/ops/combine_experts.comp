// The weighted sum of what a row's experts gave (kernels/ops/combine_experts.h). One thread per value.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t x, weights, residual, y;
    uint rows, slots, columns, reserved;
} op;

void main() {
    const uint64_t index = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (index >= uint64_t(op.rows) * op.columns) return;
    const uint row = uint(index / op.columns), i = uint(index % op.columns);
    float sum = 0.0;
    for (uint slot = 0u; slot < op.slots; ++slot) {
        const uint item = row * op.slots + slot;
        const float weight = op.weights != 0ul ? ReadFloats(op.weights).v[item] : 1.0;
        sum = fma(weight, ReadFloats(op.x + rowOffset(item, op.columns)).v[i], sum);
    }
    if (op.residual != 0ul) sum += ReadFloats(op.residual + index * 4).v[0];
    Floats(op.y + index * 4).v[0] = sum;
}
