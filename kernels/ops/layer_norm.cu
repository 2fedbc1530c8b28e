// A warp per row for short rows, a block of eight warps per row for long ones; which one depends on the columns only.
// Bound by bandwidth: the row is read three times, twice from the cache.
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
        ReduceScratch<kWarpsPerRow> scratch;
    };

    // The sum over the threads of a row, the same in each of them.
    static __device__ float rowSum(const Thread& thread, Shared& shared, float value) {
        if constexpr (kWarpsPerRow == 1) return thread.warpSum(value);
        float sum[1] = {value};
        blockSum(thread, sum, shared.scratch);
        return sum[0];
    }

    static __device__ void run(const Thread& thread, Shared& shared, const ops::LayerNorm& op) {
        constexpr uint32_t step = kWarpsPerRow * 32;
        const uint32_t row = thread.blockX() * kRowsPerBlock + thread.index() / step, place = thread.index() % step;
        const bool inside = row < op.rows; // the same for a whole warp
        const float* x = ops::at<const float>(op.x) + uint64_t(inside ? row : 0) * op.columns;
        const float columns = static_cast<float>(op.columns);
        float sum = 0.0f, squares = 0.0f;
        for (uint32_t i = place; i < op.columns; i += step) sum += x[i];
        const float mean = rowSum(thread, shared, sum) / columns;
        for (uint32_t i = place; i < op.columns; i += step) squares = multiplyAdd(x[i] - mean, x[i] - mean, squares);
        const float factor = 1.0f / sqrtf(rowSum(thread, shared, squares) / columns + op.epsilon);
        if (!inside) return;
        const float* weight = op.weight ? ops::at<const float>(op.weight) + uint64_t(row % op.weightRows) * op.columns : nullptr;
        const float* bias = op.bias ? ops::at<const float>(op.bias) : nullptr;
        float* y = ops::at<float>(op.y) + uint64_t(row) * op.columns;
        for (uint32_t i = place; i < op.columns; i += step)
            y[i] = multiplyAdd((x[i] - mean) * factor, weight ? weight[i] : 1.0f, bias ? bias[i] : 0.0f);
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
