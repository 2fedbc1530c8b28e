// Stores keys and values of new rows in the paged cache (kernels/ops/cache_write.h). One work group per row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/cache.glsl"
#include "include/op.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t k, v, positions, sequences, blockTable, cacheK, cacheV, blockStride;
    uint rows, kvHeads, headDimK, headDimV, tableStride, typeK, typeV, ratio;
} op;

void storeHeads(uint64_t source, uint64_t part, uint type, uint position, uint headDim) {
    ReadFloats values = ReadFloats(source);
    for (uint i = gl_LocalInvocationIndex; i < op.kvHeads * headDim; i += gl_WorkGroupSize.x) {
        const uint head = i / headDim, within = i - head * headDim;
        const uint place = (head * BLOCK_TOKENS + position % BLOCK_TOKENS) * headDim + within;
        if (type == CACHE_F32) Floats(part).v[place] = values.v[i];
        else Halves(part).v[place] = uint16_t(roundToHalf(values.v[i]));
    }
}

void main() {
    const uint row = workGroup();
    if (row >= op.rows) return;
    const uint own = uint(ReadInts(op.positions).v[row]);
    if ((own + 1u) % op.ratio != 0u) return;
    const uint position = own / op.ratio; // of the entry
    const uint sequence = uint(ReadInts(op.sequences).v[row]);
    const int block = ReadInts(op.blockTable + rowOffset(sequence, op.tableStride)).v[position / BLOCK_TOKENS];
    const uint64_t start = uint64_t(uint(block)) * op.blockStride;
    storeHeads(op.k + rowOffset(row, op.kvHeads * op.headDimK), op.cacheK + start, op.typeK, position, op.headDimK);
    if (op.v != 0ul)
        storeHeads(op.v + rowOffset(row, op.kvHeads * op.headDimV), op.cacheV + start, op.typeV, position, op.headDimV);
}
