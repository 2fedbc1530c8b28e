// Activation of the gate times the up projection (kernels/ops/gated_activation.h). One thread per value.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/gate.glsl"
#include "include/op.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t gate, up, y;
    uint rows, columns, function, gateColumns, gateStride, upStride, yStride, upRepeat;
    float slope, limit, upOffset;
    uint reserved;
} op;

void main() {
    const uint64_t index = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (index >= uint64_t(op.rows) * op.columns) return;
    const uint row = uint(index / op.columns), i = uint(index % op.columns);
    float gate = ReadFloats(op.gate + rowOffset(row, op.gateStride)).v[op.gateColumns == 1u ? 0u : i], up = 1.0;
    if (op.limit > 0.0) gate = min(gate, op.limit);
    if (op.up != 0ul) {
        up = ReadFloats(op.up + rowOffset(row / op.upRepeat, op.upStride)).v[i];
        if (op.limit > 0.0) up = clamp(up, -op.limit, op.limit);
    }
    Floats(op.y + rowOffset(row, op.yStride)).v[i] = gateValue(op.function, op.slope, gate) * (up + op.upOffset);
}
