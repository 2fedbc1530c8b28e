// How a work group keeps rows of a matrix state (ssm_scan, delta_rule) while it walks along a sequence.
//
// LANES threads share a row of DIM values, every LANES-th value each, in registers over the whole run; the work group has
// THREADS / LANES rows of one head. Sums over a row are those of its lanes, added in order, so that they depend on DIM alone and
// not on the length of the run. Two halves of shared memory take turns, so that one barrier a step is enough: rowSums() must
// be reached by all threads, with steps numbered one by one.
#ifndef STEELYARD_STATE_ROWS
#define STEELYARD_STATE_ROWS

layout(constant_id = 0) const uint THREADS = 64;
layout(constant_id = 1) const uint LANES = 16;
layout(constant_id = 2) const uint DIM = 128;
layout(local_size_x_id = 0) in;

const uint ROWS = THREADS / LANES;
const uint VALUES = (DIM + LANES - 1u) / LANES; // of a thread
shared vec3 laneSums[LANES > 1u ? 2u * THREADS : 1u];

uint laneOf() { return gl_LocalInvocationIndex % LANES; }
uint rowOf() { return gl_LocalInvocationIndex / LANES; } // within the work group
uint columnOf(uint value) { return value * LANES + laneOf(); }

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
    for (uint i = 0u; i < VALUES; ++i)
        state[i] = continues && columnOf(i) < DIM ? ReadFloats(row).v[columnOf(i)] : 0.0;
}

void storeState(uint64_t row, float state[VALUES]) {
    for (uint i = 0u; i < VALUES; ++i)
        if (columnOf(i) < DIM) Floats(row).v[columnOf(i)] = state[i];
}

#endif
