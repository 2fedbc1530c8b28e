// One thread per value of a row: neighbours read neighbouring values of each slot. Bound by bandwidth: 4 * slots + 8 bytes
// a value.
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct CombineExpertsKernel {
    static constexpr uint32_t kThreads = 256;

    static __device__ void run(const SoloThread& thread, const ops::CombineExperts& op) {
        const uint64_t index = thread.globalIndex();
        if (index >= uint64_t(op.rows) * op.columns) return;
        const uint64_t row = index / op.columns, i = index % op.columns;
        const float* x = ops::at<const float>(op.x) + row * op.slots * op.columns + i;
        const float* weights = op.weights ? ops::at<const float>(op.weights) + row * op.slots : nullptr;
        float sum = 0.0f;
        for (uint32_t slot = 0; slot < op.slots; ++slot) sum += (weights ? weights[slot] : 1.0f) * x[uint64_t(slot) * op.columns];
        ops::at<float>(op.y)[index] = op.residual ? sum + ops::at<const float>(op.residual)[index] : sum;
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::CombineExperts& op, void* stream) {
    const uint64_t values = uint64_t(op.rows) * op.columns;
    launch<CombineExpertsKernel>({blocksFor(values, CombineExpertsKernel::kThreads)}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
