// The selective state space of Mamba 2 (kernels/ops/ssm_scan.h). One work group per sequence, head and some rows of the head's
// state (include/state_rows.glsl).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/functions.glsl"
#include "include/op.glsl"
#include "include/runs.glsl"
#include "include/state_rows.glsl"

layout(push_constant, std430) uniform Op {
    uint64_t x, b, c, dtRaw, dtBias, a, d, y, state, runs, stateStride;
    uint sequences, stride, headCounts, headDim, stateDim, reserved;
} op;

void main() {
    const uint heads = op.headCounts & 0xFFFFu, groups = op.headCounts >> 16;
    const uint blocks = (op.headDim + ROWS - 1u) / ROWS, unit = workGroup() / blocks;
    const uint sequence = unit / heads, head = unit % heads, group = head / (heads / groups);
    if (sequence >= op.sequences) return;
    const Run run = loadRun(op.runs, sequence);
    if (run.rows == 0u) return;
    const uint p = (workGroup() % blocks) * ROWS + rowOf(), index = head * op.headDim + min(p, op.headDim - 1u);
    const uint64_t stateRow = op.state + uint64_t(run.state) * op.stateStride + rowOffset(index, DIM);
    const float bias = op.dtBias != 0ul ? ReadFloats(op.dtBias).v[head] : 0.0;
    const float a = ReadFloats(op.a).v[head], d = ReadFloats(op.d).v[head];
    float state[VALUES];
    loadState(stateRow, run.continues, state);
    for (uint i = 0u; i < run.rows; ++i) {
        const uint row = run.firstRow + i;
        const float dt = softplus(ReadFloats(op.dtRaw + rowOffset(row, heads)).v[head] + bias), decay = exp(dt * a);
        const float x = ReadFloats(op.x + rowOffset(row, op.stride)).v[index], added = dt * x;
        ReadFloats b = ReadFloats(op.b + rowOffset(row, op.stride) + rowOffset(group, DIM));
        ReadFloats c = ReadFloats(op.c + rowOffset(row, op.stride) + rowOffset(group, DIM));
        float sum = 0.0;
        [[unroll]] for (uint first = 0u; first < VALUES; first += SUBGROUP) {
            const float bMine = readColumns(b, first), cMine = readColumns(c, first);
            [[unroll]] for (uint d = 0u; d < SUBGROUP; ++d) {
                const uint n = first + d;
                const float bHere = columnFrom(bMine, d), cHere = columnFrom(cMine, d);
                state[n] = fma(state[n], decay, added * bHere);
                if (columnOf(n) < DIM) sum = fma(state[n], cHere, sum);
            }
        }
        const float y = rowSums(vec3(sum, 0.0, 0.0), i).x;
        if (laneOf() == 0u && p < op.headDim) Floats(op.y + rowOffset(row, heads * op.headDim)).v[index] = fma(d, x, y);
    }
    if (p < op.headDim) storeState(stateRow, state);
}
