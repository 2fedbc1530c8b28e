// The numbers of the largest scores of each row (kernels/ops/select_top.h). One work group per row: each thread looks after a
// stretch of entries; the threshold is found bit by bit from the counts of all.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"
#include "include/order.glsl"

layout(constant_id = 0) const uint THREADS = 64;
layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t scores, positions, ids;
    uint rows, entries, count, ratio;
} op;

shared uint counts[THREADS], equals[THREADS];

// The sum of every thread's value.
uint groupCount(uint value) {
    const uint thread = gl_LocalInvocationIndex;
    counts[thread] = value;
    barrier();
    for (uint width = THREADS / 2u; width > 0u; width /= 2u) {
        if (thread < width) counts[thread] += counts[thread + width];
        barrier();
    }
    const uint total = counts[0];
    barrier();
    return total;
}

void main() {
    const uint row = workGroup(), thread = gl_LocalInvocationIndex;
    if (row >= op.rows) return;
    const uint visible = min((uint(ReadInts(op.positions).v[row]) + 1u) / op.ratio, op.entries), chosen = min(visible, op.count);
    ReadFloats scores = ReadFloats(op.scores + rowOffset(row, op.entries));
    Words ids = Words(op.ids + rowOffset(row, op.count));
    const uint stretch = (visible + THREADS - 1u) / THREADS;
    const uint begin = min(thread * stretch, visible), end = min(begin + stretch, visible);
    uint threshold = 0u;
    for (uint bit = 0x80000000u; bit > 0u; bit /= 2u) {
        uint reached = 0u;
        for (uint e = begin; e < end; ++e) reached += orderOf(scores.v[e]) >= (threshold | bit) ? 1u : 0u;
        if (groupCount(reached) >= chosen) threshold |= bit;
    }
    uint above = 0u, equal = 0u;
    for (uint e = begin; e < end; ++e) {
        const uint order = orderOf(scores.v[e]);
        above += order > threshold ? 1u : 0u;
        equal += order == threshold ? 1u : 0u;
    }
    const uint allAbove = groupCount(above);
    counts[thread] = above;
    equals[thread] = equal;
    barrier();
    const uint mayEqual = chosen > allAbove ? chosen - allAbove : 0u; // entries at the threshold that are chosen
    uint place = 0u, equalsBefore = 0u;
    for (uint other = 0u; other < thread; ++other) {
        place += counts[other];
        equalsBefore += equals[other];
    }
    place += min(equalsBefore, mayEqual);
    for (uint e = begin; e < end; ++e) {
        const uint order = orderOf(scores.v[e]);
        if (order < threshold || (order == threshold && equalsBefore >= mayEqual)) continue;
        if (order == threshold) ++equalsBefore;
        ids.v[place++] = e;
    }
    for (uint i = chosen + thread; i < op.count; i += THREADS) ids.v[i] = 0xFFFFFFFFu;
}
