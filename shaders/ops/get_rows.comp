// Looks up rows of a table and expands them (kernels/ops/get_rows.h); compiled once per format as "format.glsl".
// One thread per 32 values of a row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint LAYOUT = 0;
#define TILED (LAYOUT == 1u)
#include "format.glsl"
layout(push_constant, std430) uniform Op {
    uint64_t table, ids, y;
    uint rows, columns, tableRows, type;
    float scale;
    uint layout_;
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
    if (!TILED) {
        const uint64_t source = op.table + uint64_t(uint(id)) * op.columns * VALUE_BYTES;
        for (uint i = 0u; i < count; ++i) y.v[i] = loadValue(source, part * 32u + i) * op.scale;
        return;
    }
#endif
    const uint blocks = (op.columns + VALUES - 1u) / VALUES, number = part / (VALUES / 32u);
    Block block;
    if (TILED) block = tileBlock(op.table, (op.tableRows + 31u) / 32u, blocks, uint(id), number);
    else block = fileBlock(op.table + uint64_t(uint(id)) * blocks * BLOCK_BYTES, number);
    Cache cache;
    loadPart(cache, block, part % (VALUES / 32u), true);
    vec4 v[8];
    unpack32(cache, block, part % (VALUES / 32u), v);
    [[unroll]] for (uint i = 0u; i < 8u; ++i)
        [[unroll]] for (uint j = 0u; j < 4u; ++j)
            if (4u * i + j < count) y.v[4u * i + j] = v[i][j] * op.scale;
}
