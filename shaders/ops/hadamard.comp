// Turns rows by a Hadamard matrix, block by block (kernels/ops/hadamard.h). A work group of THREADS threads per run of BLOCK values,
// which pass through shared memory: the butterfly's steps follow each other with a barrier between.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

layout(constant_id = 0) const uint THREADS = 32;
layout(constant_id = 1) const uint BLOCK = 64;
layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t x;
    uint rows, columns, block, reserved;
} op;

shared float values[BLOCK];

void main() {
    const uint item = workGroup();
    if (item >= op.rows * (op.columns / BLOCK)) return;
    Floats x = Floats(op.x + rowOffset(item, BLOCK));
    for (uint i = gl_LocalInvocationIndex; i < BLOCK; i += THREADS) values[i] = x.v[i];
    barrier();
    for (uint distance = 1u; distance < BLOCK; distance *= 2u) {
        for (uint pair = gl_LocalInvocationIndex; pair < BLOCK / 2u; pair += THREADS) {
            const uint i = pair / distance * 2u * distance + pair % distance;
            const float a = values[i], b = values[i + distance];
            values[i] = a + b;
            values[i + distance] = a - b;
        }
        barrier();
    }
    const float factor = 1.0 / sqrt(float(BLOCK));
    for (uint i = gl_LocalInvocationIndex; i < BLOCK; i += THREADS) x.v[i] = values[i] * factor;
}
