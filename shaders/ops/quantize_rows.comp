// Quantizes activation rows to 8-bit blocks of 32 in one or two planes (kernels/ops/quantize_rows.h). One thread per block.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t x, codes, scales, sums;
    uint rows, columns, planes, reserved;
} op;

const float PLANE_STEPS = 254.0;

int nearest(float value) { return clamp(int(roundEven(value)), -127, 127); }

void main() {
    const uint blocks = op.columns / 32u;
    const uint64_t index = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (index >= uint64_t(op.rows) * blocks) return;
    const uint64_t row = index / blocks, column = (index - row * blocks) * 32;
    ReadFloats x = ReadFloats(op.x + index * 128);
    Words codes = Words(op.codes + row * op.planes * op.columns + column);
    float largest = 0.0;
    for (uint i = 0u; i < 32u; ++i) largest = max(largest, abs(x.v[i]));
    const float scale = largest / 127.0;
    const float inverse = scale > 0.0 ? 1.0 / scale : 0.0;
    int sum = 0, restSum = 0;
    for (uint i = 0u; i < 8u; ++i) {
        uint packed = 0u, packedRests = 0u;
        for (uint j = 0u; j < 4u; ++j) {
            const float scaled = x.v[4u * i + j] * inverse;
            const int code = nearest(scaled), rest = nearest((scaled - float(code)) * PLANE_STEPS);
            sum += code;
            restSum += rest;
            packed |= (uint(code) & 0xFFu) << (8u * j);
            packedRests |= (uint(rest) & 0xFFu) << (8u * j);
        }
        codes.v[i] = packed;
        if (op.planes > 1u) codes.v[op.columns / 4u + i] = packedRests;
    }
    Floats(op.scales + index * 4).v[0] = scale;
    Floats(op.sums + index * 4).v[0] = scale * (float(sum) + (op.planes > 1u ? float(restSum) / PLANE_STEPS : 0.0));
}
