// Sum and maximum over a work group through shared memory, as a fixed tree: the result depends on the values alone and
// not on the subgroup size, which differs between devices. The work group's size THREADS is a power of two.
#ifndef STEELYARD_REDUCE
#define STEELYARD_REDUCE

shared float reduceSlots[THREADS];

float groupSum(float value) {
    const uint thread = gl_LocalInvocationIndex;
    reduceSlots[thread] = value;
    barrier();
    for (uint width = THREADS / 2u; width > 0u; width /= 2u) {
        if (thread < width) reduceSlots[thread] += reduceSlots[thread + width];
        barrier();
    }
    const float sum = reduceSlots[0];
    barrier();
    return sum;
}

float groupMax(float value) {
    const uint thread = gl_LocalInvocationIndex;
    reduceSlots[thread] = value;
    barrier();
    for (uint width = THREADS / 2u; width > 0u; width /= 2u) {
        if (thread < width) reduceSlots[thread] = max(reduceSlots[thread], reduceSlots[thread + width]);
        barrier();
    }
    const float largest = reduceSlots[0];
    barrier();
    return largest;
}

#endif
