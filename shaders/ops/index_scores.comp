// How much each compressed key matters to each row (kernels/ops/index_scores.h). One thread per entry of a row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/cache.glsl"
#include "include/op.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t q, weights, cache, y, positions, sequences, blockTable, blockStride;
    uint rows, heads, dim, entries, tableStride, ratio, type;
    float scale;
} op;

void main() {
    const uint64_t index = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (index >= uint64_t(op.rows) * op.entries) return;
    const uint row = uint(index / op.entries), entry = uint(index - uint64_t(row) * op.entries);
    if (entry >= (uint(ReadInts(op.positions).v[row]) + 1u) / op.ratio) return;
    const uint sequence = uint(ReadInts(op.sequences).v[row]);
    const int block = ReadInts(op.blockTable + rowOffset(sequence, op.tableStride)).v[entry / BLOCK_TOKENS];
    const uint64_t part = op.cache + uint64_t(uint(block)) * op.blockStride;
    const uint first = entry % BLOCK_TOKENS * op.dim;
    ReadFloats weights = ReadFloats(op.weights + rowOffset(row, op.heads));
    float total = 0.0;
    for (uint head = 0u; head < op.heads; ++head) {
        ReadFloats q = ReadFloats(op.q + rowOffset(row * op.heads + head, op.dim));
        float product = 0.0;
        if (op.type == CACHE_F32)
            for (uint i = 0u; i < op.dim; ++i) product = fma(q.v[i], ReadFloats(part).v[first + i], product);
        else
            for (uint i = 0u; i < op.dim; ++i) product = fma(q.v[i], halfToFloat(uint(ReadHalves(part).v[first + i])), product);
        total = fma(weights.v[head], max(product, 0.0), total);
    }
    Floats(op.y + rowOffset(row, op.entries)).v[entry] = total * op.scale;
}
