// One thread per value. Bound by bandwidth: 12 bytes a value.
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct AddKernel {
    static constexpr uint32_t kThreads = 256;

    static __device__ void run(const SoloThread& thread, const ops::Add& op) {
        const uint64_t index = thread.globalIndex();
        if (index >= uint64_t(op.rows) * op.columns) return;
        const uint64_t row = index / op.columns, i = index % op.columns;
        const float a = op.scaleA * ops::at<const float>(op.a)[row * op.aStride + i];
        ops::at<float>(op.y)[row * op.yStride + i] = op.b ? a + op.scaleB * ops::at<const float>(op.b)[row * op.bStride + i] : a;
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::Add& op, void* stream) {
    launch<AddKernel>({blocksFor(uint64_t(op.rows) * op.columns, AddKernel::kThreads)}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
