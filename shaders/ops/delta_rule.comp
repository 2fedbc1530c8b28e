// The gated delta rule (kernels/ops/delta_rule.h). One work group per sequence, head and some rows of the head's state
// (include/state_rows.glsl).
//
// With the decayed state S, (S + e k) q = S q + e (k . q): so the sums S k, S q and k . q are taken together, once a step.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"
#include "include/runs.glsl"
#include "include/state_rows.glsl"

layout(constant_id = 4) const uint GATES = 1; // columns of the gate: 1 or DIM
layout(push_constant, std430) uniform Op {
    uint64_t q, k, v, gate, beta, y, state, runs, stateStride;
    uint sequences, keyHeads, valueHeads, headDimK, headDimV, gateColumns, tiled;
    float scale;
} op;

void main() {
    const uint blocks = (op.headDimV + ROWS - 1u) / ROWS, unit = workGroup() / blocks;
    const uint sequence = unit / op.valueHeads, head = unit % op.valueHeads;
    if (sequence >= op.sequences) return;
    const Run run = loadRun(op.runs, sequence);
    if (run.rows == 0u) return;
    const uint keyHead = op.tiled != 0u ? head % op.keyHeads : head / (op.valueHeads / op.keyHeads);
    const uint p = (workGroup() % blocks) * ROWS + rowOf(), index = head * op.headDimV + min(p, op.headDimV - 1u);
    const uint64_t stateRow = op.state + uint64_t(run.state) * op.stateStride + rowOffset(index, DIM);
    float state[VALUES], keys[VALUES];
    loadState(stateRow, run.continues, state);
    for (uint i = 0u; i < run.rows; ++i) {
        const uint row = run.firstRow + i, headRow = row * op.valueHeads + head;
        ReadFloats q = ReadFloats(op.q + rowOffset(row * op.keyHeads + keyHead, DIM));
        ReadFloats k = ReadFloats(op.k + rowOffset(row * op.keyHeads + keyHead, DIM));
        ReadFloats gate = ReadFloats(op.gate + rowOffset(headRow, GATES));
        const float decay = GATES == 1u ? exp(gate.v[0]) : 1.0;
        vec3 mine = vec3(0.0); // S k, S q, k . q
        [[unroll]] for (uint first = 0u; first < VALUES; first += SUBGROUP) {
            const float kMine = readColumns(k, first), qMine = readColumns(q, first);
            const float decayMine = GATES == 1u ? decay : exp(readColumns(gate, first));
            [[unroll]] for (uint d = 0u; d < SUBGROUP; ++d) {
                const uint n = first + d;
                const bool inside = columnOf(n) < DIM;
                keys[n] = inside ? columnFrom(kMine, d) : 0.0;
                const float query = inside ? columnFrom(qMine, d) : 0.0;
                state[n] *= GATES == 1u ? decay : columnFrom(decayMine, d);
                mine = fma(vec3(state[n], state[n], keys[n]), vec3(keys[n], query, query), mine);
            }
        }
        const vec3 sums = rowSums(mine, i);
        const float error =
            (ReadFloats(op.v + rowOffset(row, op.valueHeads * op.headDimV)).v[index] - sums.x) * ReadFloats(op.beta).v[headRow];
        [[unroll]] for (uint n = 0u; n < VALUES; ++n) state[n] = fma(error, keys[n], state[n]);
        if (laneOf() == 0u && p < op.headDimV)
            Floats(op.y + rowOffset(row, op.valueHeads * op.headDimV)).v[index] = fma(error, sums.z, sums.y) * op.scale;
    }
    if (p < op.headDimV) storeState(stateRow, state);
}
