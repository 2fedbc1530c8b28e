// Sums of several values over a warp at once: lane i ends with the sum of value i, after as many exchanges as there are
// values and not five times as many. The order of each sum is the butterfly 16, 8, 4, 2, 1, as Thread::warpSum's.
#pragma once

#include "kernels/device/keywords.h"

#include <cstdint>

namespace steelyard::kernels {

// `count` is a power of two, at most 32; gives the sum of values[lane % count]. The values are used up.
template <class AnyThread, uint32_t count>
__device__ float sumsByShuffles(const AnyThread& thread, float (&values)[count]) {
    static_assert(count > 0 && count <= 32 && (count & (count - 1)) == 0);
    for (uint32_t bits = 16; bits >= count; bits /= 2)
        for (uint32_t i = 0; i < count; ++i) values[i] += thread.shuffleXor(values[i], bits);
    // From here on a lane keeps the half of the values that its number names, and gives the other half away.
    for (uint32_t bits = count / 2; bits > 0; bits /= 2) {
        const bool upper = (thread.lane() & bits) != 0;
        for (uint32_t i = 0; i < bits; ++i) {
            const float kept = upper ? values[i + bits] : values[i], given = upper ? values[i] : values[i + bits];
            values[i] = kept + thread.shuffleXor(given, bits);
        }
    }
    return values[0];
}

} // namespace steelyard::kernels
