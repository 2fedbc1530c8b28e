// A warp per run, or per 32 values where runs are shorter: distances below 32 by shuffles, others among a lane's own values,
// which lie 32 apart. Built once per number of values of a lane. Bound by latency.
#include "kernels/launch.h"

#include <cmath>

namespace steelyard::kernels {

namespace {

template <uint32_t kPerLane>
struct HadamardKernel {
    static constexpr uint32_t kThreads = 128;
    struct Shared {};

    static __device__ void run(const Thread& thread, Shared&, const ops::Hadamard& op) {
        const uint64_t all = uint64_t(op.rows) * op.columns;
        const uint64_t first = (uint64_t(thread.blockX()) * (kThreads / 32) + thread.warp()) * kPerLane * 32;
        if (first >= all) return; // the whole warp
        float* x = ops::at<float>(op.x) + first;
        const uint32_t lane = thread.lane(), end = all - first < kPerLane * 32 ? static_cast<uint32_t>(all - first) : kPerLane * 32;
        float values[kPerLane];
        for (uint32_t i = 0; i < kPerLane; ++i) values[i] = lane + i * 32 < end ? x[lane + i * 32] : 0.0f;
        for (uint32_t distance = 1; distance < 32 && distance < op.block; distance *= 2)
            for (uint32_t i = 0; i < kPerLane; ++i) {
                const float other = thread.shuffleXor(values[i], distance);
                values[i] = lane & distance ? other - values[i] : values[i] + other;
            }
        for (uint32_t distance = 1; distance < kPerLane; distance *= 2)
            for (uint32_t i = 0; i < kPerLane; ++i) {
                if (i & distance) continue;
                const float a = values[i], b = values[i + distance];
                values[i] = a + b;
                values[i + distance] = a - b;
            }
        const float factor = 1.0f / sqrtf(static_cast<float>(op.block));
        for (uint32_t i = 0; i < kPerLane; ++i)
            if (lane + i * 32 < end) x[lane + i * 32] = values[i] * factor;
    }
};

template <uint32_t kPerLane = 1>
const char* launchBlock(const ops::Hadamard& op, void* stream) {
    if (op.block > kPerLane * 32) {
        if constexpr (kPerLane * 32 < ops::kLargestHadamard) return launchBlock<kPerLane * 2>(op, stream);
        else return "it does not know runs of this size";
    }
    using Kernel = HadamardKernel<kPerLane>;
    launch<Kernel>({blocksFor(uint64_t(op.rows) * op.columns, Kernel::kThreads * kPerLane)}, stream, op);
    return nullptr;
}

} // namespace

template <>
const char* launchOp<Target>(const ops::Hadamard& op, void* stream) {
    return launchBlock(op, stream);
}

} // namespace steelyard::kernels
