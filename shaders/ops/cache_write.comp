// Stores keys and values of new rows in the paged cache (kernels/ops/cache_write.h). One work group per row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/cache_pack.glsl"
#include "include/op.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t k, v, positions, sequences, blockTable, cacheK, cacheV, blockStride;
    uint rows, kvHeads, headDimK, headDimV, tableStride, typeK, typeV, ratio;
} op;

void storeValue(CacheRow row, uint type, uint i, float value) {
    if (type == CACHE_F32) Floats(row.codes).v[i] = value;
    else Halves(row.codes).v[i] = uint16_t(type == CACHE_F16 ? roundToHalf(value) : roundToBfloat(value));
}

// Four values of a byte each.
void storeBytes(CacheRow row, uint i, vec4 values) {
    Words(row.codes).v[i] = floatToFloat8(values.x) | floatToFloat8(values.y) << 8 | floatToFloat8(values.z) << 16 | floatToFloat8(values.w) << 24;
}

// A thread takes a value, four of a byte, or a coded group.
void storeHeads(uint64_t source, uint64_t part, uint type, uint position, uint headDim) {
    ReadFloats values = ReadFloats(source);
    const uvec2 bytes = groupBytes(type);
    const uint step = bytes.y > 0u ? CACHE_GROUP : type == CACHE_F8_E4M3 ? 4u : 1u;
    for (uint first = gl_LocalInvocationIndex * step; first < op.kvHeads * headDim; first += gl_WorkGroupSize.x * step) {
        const uint head = first / headDim, within = first - head * headDim;
        const CacheRow row = rowAt(part, type, head, position, headDim);
        if (step == 1u) {
            storeValue(row, type, within, values.v[first]);
        } else if (step == 4u) {
            storeBytes(row, within / 4u, vec4(values.v[first], values.v[first + 1u], values.v[first + 2u], values.v[first + 3u]));
        } else {
            float x[32];
            for (uint i = 0u; i < 32u; ++i) x[i] = values.v[first + i];
            const uint group = within / CACHE_GROUP;
            packGroup(x, type, row.heads + group * bytes.y, row.codes + group * bytes.x);
        }
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
