// A warp per row for short rows, a block of eight warps per row for long ones; which one depends on the columns only.
// What the sum over a row lost is small beside the mean but not beside the differences from it: a second sum, of the
// differences, gives it back. Bound by bandwidth: the row is read three times, twice from the cache.
#include "kernels/device/arithmetic.h"
#include "kernels/device/reduce.h"

namespace steelyard::kernels {

namespace {

constexpr uint32_t kLongRow = 512;

template <uint32_t kWarpsPerRow>
struct LayerNormKernel {
    static constexpr uint32_t kThreads = 256;
    static constexpr uint32_t kRowsPerBlock = kThreads / 32 / kWarpsPerRow;
    struct Shared {
        ReduceScratch<kWarpsPerRow, 2> scratch;
    };

    // Replaces both values by their sums over the threads of a row, the same in each of them.
    static __device__ void rowSums(const Thread& thread, Shared& shared, float (&values)[2]) {
        if constexpr (kWarpsPerRow > 1) {
            blockSum(thread, values, shared.scratch);
        } else {
            for (float& value : values) value = thread.warpSum(value);
        }
    }

    static __device__ void run(const Thread& thread, Shared& shared, const ops::LayerNorm& op) {
        constexpr uint32_t step = kWarpsPerRow * 32;
        const uint32_t row = thread.blockX() * kRowsPerBlock + thread.index() / step, place = thread.index() % step;
        const bool inside = row < op.rows; // the same for a whole warp
        const float* x = ops::at<const float>(op.x) + uint64_t(inside ? row : 0) * op.columns;
        const float columns = static_cast<float>(op.columns);
        float sums[2] = {0.0f, 0.0f};
        for (uint32_t i = place; i < op.columns; i += step) sums[0] += x[i];
        rowSums(thread, shared, sums);
        const float roughMean = sums[0] / columns;
        sums[0] = sums[1] = 0.0f;
        for (uint32_t i = place; i < op.columns; i += step) {
            const float difference = x[i] - roughMean;
            sums[0] += difference;
            sums[1] = multiplyAdd(difference, difference, sums[1]);
        }
        rowSums(thread, shared, sums);
        const float rest = sums[0] / columns, variance = fmaxf(sums[1] / columns - rest * rest, 0.0f);
        const float factor = 1.0f / sqrtf(variance + op.epsilon);
        if (!inside) return;
        const float* weight = op.weight ? ops::at<const float>(op.weight) + uint64_t(row % op.weightRows) * op.columns : nullptr;
        const float* bias = op.bias ? ops::at<const float>(op.bias) : nullptr;
        float* y = ops::at<float>(op.y) + uint64_t(row) * op.columns;
        for (uint32_t i = place; i < op.columns; i += step)
            y[i] = multiplyAdd((x[i] - roughMean - rest) * factor, weight ? weight[i] : 1.0f, bias ? bias[i] : 0.0f);
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::LayerNorm& op, void* stream) {
    using ShortRows = LayerNormKernel<1>;
    using LongRows = LayerNormKernel<8>;
    if (op.columns < kLongRow) launch<ShortRows>({blocksFor(op.rows, ShortRows::kRowsPerBlock)}, stream, op);
    else launch<LongRows>({op.rows}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
