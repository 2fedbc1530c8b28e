// Activation of the gate times the up projection (kernels/ops/gated_activation.h). One thread per value.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/functions.glsl"
#include "include/op.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t gate, up, y;
    uint rows, columns, function, reserved;
} op;

float gateValue(float g) {
    if (op.function == 0u) return g / (1.0 + exp(min(-g, 80.0)));
    return 0.5 * g * (1.0 + safeTanh(0.79788456080286535588 * g * (1.0 + 0.044715 * g * g)));
}

void main() {
    const uint64_t i = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (i >= uint64_t(op.rows) * op.columns) return;
    Floats(op.y + i * 4).v[0] = gateValue(ReadFloats(op.gate + i * 4).v[0]) * ReadFloats(op.up + i * 4).v[0];
}
