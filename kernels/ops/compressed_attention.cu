// A warp per head of a row. Its lanes share the dimensions: a key is read once, for the score and then as the value, and the
// running maximum and sum are the same in every lane. Built once per number of dimensions a lane holds. Bound by latency and
// the bytes of the keys.
#include "kernels/device/arithmetic.h"
#include "kernels/launch.h"

#include <cmath>

namespace steelyard::kernels {

namespace {

template <uint32_t kPerLane>
struct CompressedAttentionKernel {
    static constexpr uint32_t kThreads = 128;
    struct Shared {};

    static __device__ void run(const Thread& thread, Shared&, const ops::CompressedAttention& op) {
        const uint32_t item = thread.blockX() * (kThreads / 32) + thread.index() / 32, lane = thread.lane();
        if (item >= op.rows * op.heads) return; // the whole warp
        const ops::CompressedKeys keys = ops::compressedKeys(op, item / op.heads);
        const float* q = ops::at<const float>(op.q) + uint64_t(item) * op.dim;
        float query[kPerLane], result[kPerLane];
        for (uint32_t i = 0; i < kPerLane; ++i) {
            query[i] = lane + i * 32 < op.dim ? q[lane + i * 32] : 0.0f;
            result[i] = 0.0f;
        }
        float largest = op.sinks ? ops::at<const float>(op.sinks)[item % op.heads] : -INFINITY;
        float sum = op.sinks ? 1.0f : 0.0f;
        for (uint32_t number = 0; number < keys.recent + keys.distant; ++number) {
            const uint8_t* key = ops::compressedKeyAddress(op, keys, number);
            if (!key) continue;
            float values[kPerLane], score = 0.0f;
            for (uint32_t i = 0; i < kPerLane; ++i) {
                values[i] = lane + i * 32 < op.dim ? ops::loadCacheValue(op.type, {key, nullptr}, lane + i * 32) : 0.0f;
                score = multiplyAdd(query[i], values[i], score);
            }
            score = thread.warpSum(score) * op.scale;
            const float top = fmaxf(largest, score);
            const float keep = expf(largest - top), weight = expf(score - top);
            for (uint32_t i = 0; i < kPerLane; ++i) result[i] = multiplyAdd(weight, values[i], multiply(result[i], keep));
            sum = multiplyAdd(sum, keep, weight);
            largest = top;
        }
        float* y = ops::at<float>(op.y) + uint64_t(item) * op.dim;
        for (uint32_t i = 0; i < kPerLane; ++i)
            if (lane + i * 32 < op.dim) y[lane + i * 32] = result[i] / sum;
    }
};

template <uint32_t kPerLane = 2>
const char* launchDim(const ops::CompressedAttention& op, void* stream) {
    if (op.dim > kPerLane * 32) {
        if constexpr (kPerLane < 32) return launchDim<kPerLane * 2>(op, stream);
        else return "it does not know heads of this size";
    }
    using Kernel = CompressedAttentionKernel<kPerLane>;
    launch<Kernel>({blocksFor(uint64_t(op.rows) * op.heads, Kernel::kThreads / 32)}, stream, op);
    return nullptr;
}

} // namespace

template <>
const char* launchOp<Target>(const ops::CompressedAttention& op, void* stream) {
    return launchDim(op, stream);
}

} // namespace steelyard::kernels
