// Sums and maxima over a block of threads, in an order that depends on nothing but the thread's place.
#pragma once

#include "kernels/launch.h"

#include <cmath>

namespace steelyard::kernels {

// Room for reducing `count` values at once over at most 32 warps.
template <uint32_t warps, uint32_t count = 1>
struct ReduceScratch {
    float values[warps][count];
};

// Replaces each value by its sum over the block, the same in every thread. All threads must call it.
template <class AnyThread, uint32_t warps, uint32_t count>
__device__ void blockSum(const AnyThread& thread, float (&values)[count], ReduceScratch<warps, count>& scratch) {
    for (uint32_t i = 0; i < count; ++i) {
        const float sum = thread.warpSum(values[i]);
        if (thread.lane() == 0) scratch.values[thread.warp()][i] = sum;
    }
    thread.barrier();
    for (uint32_t i = 0; i < count; ++i) {
        values[i] = scratch.values[0][i];
        for (uint32_t warp = 1; warp < warps; ++warp) values[i] += scratch.values[warp][i];
    }
    thread.barrier(); // the scratch may be used again
}

// The same for the maximum.
template <class AnyThread, uint32_t warps, uint32_t count>
__device__ void blockMaximum(const AnyThread& thread, float (&values)[count], ReduceScratch<warps, count>& scratch) {
    for (uint32_t i = 0; i < count; ++i) {
        const float largest = thread.warpMaximum(values[i]);
        if (thread.lane() == 0) scratch.values[thread.warp()][i] = largest;
    }
    thread.barrier();
    for (uint32_t i = 0; i < count; ++i) {
        values[i] = scratch.values[0][i];
        for (uint32_t warp = 1; warp < warps; ++warp) values[i] = fmaxf(values[i], scratch.values[warp][i]);
    }
    thread.barrier();
}

} // namespace steelyard::kernels
