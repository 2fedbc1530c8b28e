// Copies device memory in units of 16 bytes (kernels/ops/copy.h). One thread per unit.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer ReadUnits { uvec4 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Units { uvec4 v[]; };
layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t from, to;
    uint units, reserved;
} op;

void main() {
    const uint64_t unit = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (unit < op.units) Units(op.to).v[uint(unit)] = ReadUnits(op.from).v[uint(unit)];
}
