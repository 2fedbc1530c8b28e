// Looks up rows of a table and expands them (kernels/ops/get_rows.h); compiled once per format as "format.glsl".
// One thread per 32 values of a row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"
#include "format.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t table, ids, y;
    uint rows, columns, tableRows, type;
    float scale;
    uint reserved;
} op;

void main() {
    const uint parts = (op.columns + 31u) / 32u;
    const uint64_t index = uint64_t(workGroup()) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (index >= uint64_t(op.rows) * parts) return;
    const uint row = uint(index / parts), part = uint(index - uint64_t(row) * parts);
    Floats y = Floats(op.y + rowOffset(row, op.columns) + uint64_t(part) * 128);
    const uint count = min(32u, op.columns - part * 32u);
    const int id = ReadInts(op.ids).v[row];
    if (id < 0 || uint(id) >= op.tableRows) {
        for (uint i = 0u; i < count; ++i) y.v[i] = 0.0;
        return;
    }
#ifdef FLOAT_FORMAT
    const uint64_t source = op.table + uint64_t(uint(id)) * op.columns * VALUE_BYTES;
    for (uint i = 0u; i < count; ++i) y.v[i] = loadValue(source, part * 32u + i) * op.scale;
#else
    const uint64_t source = op.table + uint64_t(uint(id)) * (op.columns / VALUES) * BLOCK_BYTES;
    const Block block = fileBlock(source, part / (VALUES / 32u));
    Cache cache;
    loadPart(cache, block, part % (VALUES / 32u), true);
    vec4 v[8];
    unpack32(cache, block, part % (VALUES / 32u), v);
    [[unroll]] for (uint i = 0u; i < 8u; ++i)
        [[unroll]] for (uint j = 0u; j < 4u; ++j) y.v[4u * i + j] = v[i][j] * op.scale;
#endif
}
