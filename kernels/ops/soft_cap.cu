// One thread per value. Bound by bandwidth: 8 bytes a value.
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct SoftCapKernel {
    static constexpr uint32_t kThreads = 256;

    static __device__ void run(const SoloThread& thread, const ops::SoftCap& op) {
        const uint64_t i = thread.globalIndex();
        if (i >= uint64_t(op.rows) * op.columns) return;
        ops::at<float>(op.y)[i] = op.cap * tanhf(ops::at<const float>(op.x)[i] / op.cap);
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::SoftCap& op, void* stream) {
    launch<SoftCapKernel>({blocksFor(uint64_t(op.rows) * op.columns, SoftCapKernel::kThreads)}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
