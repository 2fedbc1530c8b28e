// Rotary position embedding in place (kernels/ops/rotary.h). One thread per pair of values.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/functions.glsl"
#include "include/op.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t x, positions, factors;
    uint rows, heads, headDim, dimensions, mode;
    float base, frequencyScale, extrapolation, magnitude, correctionLow, correctionHigh, direction;
    uint ratio, reserved;
} op;

void main() {
    const uint pairs = op.dimensions / 2u;
    const uint64_t index = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (index >= uint64_t(op.rows) * op.heads * pairs) return;
    const uint item = uint(index / pairs), j = uint(index - uint64_t(item) * pairs);
    Floats x = Floats(op.x + rowOffset(item, op.headDim));
    const uint own = uint(ReadInts(op.positions).v[item / op.heads]);
    const float position = float(own - own % op.ratio);
    const float exponent = -2.0 * float(j) / float(op.dimensions);
    float extrapolated = position * accuratePower(op.base, exponent);
    if (op.factors != 0ul) extrapolated /= ReadFloats(op.factors).v[j];
    float angle = extrapolated * op.frequencyScale;
    if (op.extrapolation > 0.0) {
        const float width = max(0.001, op.correctionHigh - op.correctionLow);
        const float ramp = clamp((float(j) - op.correctionLow) / width, 0.0, 1.0);
        const float mixing = (1.0 - ramp) * op.extrapolation;
        angle = angle * (1.0 - mixing) + extrapolated * mixing;
    }
    const vec2 turn = cosineSine(angle) * vec2(op.magnitude, op.magnitude * op.direction);
    const uint first = op.mode == 0u ? 2u * j : j;
    const uint second = op.mode == 0u ? 2u * j + 1u : j + pairs;
    const float a = x.v[first], b = x.v[second];
    x.v[first] = a * turn.x - b * turn.y;
    x.v[second] = a * turn.y + b * turn.x;
}
