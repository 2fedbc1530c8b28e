// A warp per block of 32 values, a lane per value. Bound by bandwidth: 5 or 6 bytes a value.
#include "kernels/device/arithmetic.h"
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
        const uint64_t row = block / (op.columns / 32), column = block % (op.columns / 32) * 32 + thread.lane();
        const float x = ops::at<const float>(op.x)[row * op.columns + column];
        const float scale = thread.warpMaximum(fabsf(x)) / 127.0f;
        const float inverse = scale > 0.0f ? 1.0f / scale : 0.0f;
        const float scaled = multiply(x, inverse), code = rintf(scaled);
        int8_t* codes = ops::at<int8_t>(op.codes) + row * op.planes * op.columns + column;
        *codes = static_cast<int8_t>(code);
        float sum = thread.warpSum(code); // whole numbers below 2^24: exact
        if (op.planes == 2) {
            const float rest = rintf(multiply(scaled - code, kPlaneSteps));
            codes[op.columns] = static_cast<int8_t>(rest);
            sum += thread.warpSum(rest) / kPlaneSteps;
        }
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
