// One thread per value. Bound by bandwidth: 12 bytes a value.
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct AddKernel {
    static constexpr uint32_t kThreads = 256;

    static __device__ void run(const SoloThread& thread, const ops::Add& op) {
        const uint64_t i = thread.globalIndex();
        if (i >= uint64_t(op.rows) * op.columns) return;
        ops::at<float>(op.y)[i] = ops::at<const float>(op.a)[i] + ops::at<const float>(op.b)[i];
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::Add& op, void* stream) {
    launch<AddKernel>({blocksFor(uint64_t(op.rows) * op.columns, AddKernel::kThreads)}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
