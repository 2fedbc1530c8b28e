// A warp per block of 32 values, a lane per value. Bound by bandwidth: 5 bytes a value.
#include "kernels/launch.h"

#include <cmath>

namespace steelyard::kernels {

namespace {

struct QuantizeRowsKernel {
    static constexpr uint32_t kThreads = 256;
    struct Shared {};

    static __device__ void run(const Thread& thread, Shared&, const ops::QuantizeRows& op) {
        const uint64_t blocks = uint64_t(op.rows) * (op.columns / 32);
        const uint64_t block = thread.globalIndex() / 32; // the same for a whole warp
        if (block >= blocks) return;
        const uint64_t index = block * 32 + thread.lane();
        const float x = ops::at<const float>(op.x)[index];
        const float scale = thread.warpMaximum(fabsf(x)) / 127.0f;
        const float inverse = scale > 0.0f ? 1.0f / scale : 0.0f;
        const float code = rintf(x * inverse);
        const float sum = thread.warpSum(code); // whole numbers below 2^24: exact
        ops::at<int8_t>(op.codes)[index] = static_cast<int8_t>(code);
        if (thread.lane() == 0) {
            ops::at<float>(op.scales)[block] = scale;
            ops::at<float>(op.sums)[block] = scale * sum;
        }
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::QuantizeRows& op, void* stream) {
    const uint64_t values = uint64_t(op.rows) * (op.columns / 32) * 32;
    launch<QuantizeRowsKernel>({blocksFor(values, QuantizeRowsKernel::kThreads)}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
