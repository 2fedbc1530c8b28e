// A warp per row for short rows (the heads of query and key norms), a block of eight warps per row for long ones; which
// one depends on the columns only. Bound by bandwidth: the row is read twice, the second time from the cache.
#include "kernels/device/arithmetic.h"
#include "kernels/device/reduce.h"

namespace steelyard::kernels {

namespace {

constexpr uint32_t kLongRow = 512;

template <uint32_t kWarpsPerRow>
struct RmsNormKernel {
    static constexpr uint32_t kThreads = 256;
    static constexpr uint32_t kRowsPerBlock = kThreads / 32 / kWarpsPerRow;
    struct Shared {
        ReduceScratch<kWarpsPerRow> scratch;
    };

    static __device__ void run(const Thread& thread, Shared& shared, const ops::RmsNorm& op) {
        constexpr uint32_t step = kWarpsPerRow * 32;
        const uint32_t row = thread.blockX() * kRowsPerBlock + thread.index() / step, place = thread.index() % step;
        const bool inside = row < op.rows; // the same for a whole warp
        const float* x = ops::at<const float>(op.x) + uint64_t(inside ? row : 0) * op.xStride;
        float sum[1] = {0.0f};
        for (uint32_t i = place; i < op.columns; i += step) sum[0] = multiplyAdd(x[i], x[i], sum[0]);
        if constexpr (kWarpsPerRow == 1) sum[0] = thread.warpSum(sum[0]);
        else blockSum(thread, sum, shared.scratch);
        if (!inside) return;
        const float scale = op.scale / sqrtf(sum[0] / static_cast<float>(op.columns) + op.epsilon);
        const float* weight = op.weight ? ops::at<const float>(op.weight) + uint64_t(row % op.weightRows) * op.columns : nullptr;
        float* y = ops::at<float>(op.y) + uint64_t(row) * op.yStride;
        for (uint32_t i = place; i < op.columns; i += step) y[i] = x[i] * scale * (weight ? weight[i] : 1.0f);
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::RmsNorm& op, void* stream) {
    using ShortRows = RmsNormKernel<1>;
    using LongRows = RmsNormKernel<8>;
    if (op.columns < kLongRow) launch<ShortRows>({blocksFor(op.rows, ShortRows::kRowsPerBlock)}, stream, op);
    else launch<LongRows>({op.rows}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
