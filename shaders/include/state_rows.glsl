// How a work group keeps rows of a matrix state (ssm_scan, delta_rule) while it walks along a sequence.
//
// LANES threads share a row of DIM values, every LANES-th value each, in registers over the whole run; the work group has
// THREADS / LANES rows of one head. Sums over a row are those of its lanes, added in order, so that they depend on DIM alone and
// not on the length of the run. Two halves of shared memory take turns, so that one barrier a step is enough: rowSums() must
// be reached by all threads, with steps numbered one by one.
//
// What all rows multiply with is the same for all: with one lane a row, SUBGROUP neighbouring threads may each read another
// of SUBGROUP columns and hand it round by shuffles, which a device that reads memory thread by thread profits from.
#ifndef STEELYARD_STATE_ROWS
#define STEELYARD_STATE_ROWS
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(constant_id = 0) const uint THREADS = 64;
layout(constant_id = 1) const uint LANES = 16;
layout(constant_id = 2) const uint DIM = 128;
layout(constant_id = 3) const uint SUBGROUP = 1; // 1: no shuffles; else a divisor of DIM, and LANES is 1
layout(local_size_x_id = 0) in;

const uint ROWS = THREADS / LANES;
const uint VALUES = (DIM + LANES - 1u) / LANES; // of a thread
shared vec3 laneSums[LANES > 1u ? 2u * THREADS : 1u];

uint laneOf() { return gl_LocalInvocationIndex % LANES; }
uint rowOf() { return gl_LocalInvocationIndex / LANES; } // within the work group
uint columnOf(uint value) { return value * LANES + laneOf(); }

// What this thread reads of the columns `value` to value + SUBGROUP - 1 of an array, and the one of them that it needs.
float readColumns(ReadFloats array, uint value) {
    return array.v[SUBGROUP > 1u ? value + gl_SubgroupInvocationID : min(columnOf(value), DIM - 1u)];
}
float columnFrom(float mine, uint number) { return SUBGROUP > 1u ? subgroupShuffle(mine, number) : mine; }

// The sums over the lanes of this thread's row.
vec3 rowSums(vec3 mine, uint step) {
    if (LANES == 1u) return mine;
    const uint half_ = (step & 1u) * THREADS, first = half_ + rowOf() * LANES;
    laneSums[half_ + gl_LocalInvocationIndex] = mine;
    barrier();
    vec3 sum = laneSums[first];
    for (uint lane = 1u; lane < LANES; ++lane) sum += laneSums[first + lane];
    return sum;
}

void loadState(uint64_t row, bool continues, out float state[VALUES]) {
    [[unroll]] for (uint i = 0u; i < VALUES; ++i)
        state[i] = continues && columnOf(i) < DIM ? ReadFloats(row).v[columnOf(i)] : 0.0;
}

void storeState(uint64_t row, float state[VALUES]) {
    [[unroll]] for (uint i = 0u; i < VALUES; ++i)
        if (columnOf(i) < DIM) Floats(row).v[columnOf(i)] = state[i];
}

#endif
