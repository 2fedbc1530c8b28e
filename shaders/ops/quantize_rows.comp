// Quantizes activation rows to 8-bit blocks of 32 (kernels/ops/quantize_rows.h). One thread per block.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t x, codes, scales, sums;
    uint rows, columns;
} op;

void main() {
    const uint64_t block = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (block >= uint64_t(op.rows) * (op.columns / 32u)) return;
    ReadFloats x = ReadFloats(op.x + block * 128);
    float largest = 0.0;
    for (uint i = 0u; i < 32u; ++i) largest = max(largest, abs(x.v[i]));
    const float scale = largest / 127.0;
    const float inverse = scale > 0.0 ? 1.0 / scale : 0.0;
    int sum = 0;
    for (uint i = 0u; i < 8u; ++i) {
        uint packed = 0u;
        for (uint j = 0u; j < 4u; ++j) {
            const int code = clamp(int(roundEven(x.v[4u * i + j] * inverse)), -127, 127);
            sum += code;
            packed |= (uint(code) & 0xFFu) << (8u * j);
        }
        Words(op.codes + block * 32).v[i] = packed;
    }
    Floats(op.scales + block * 4).v[0] = scale;
    Floats(op.sums + block * 4).v[0] = scale * float(sum);
}
