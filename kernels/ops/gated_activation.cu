// One thread per value. Bound by bandwidth: 12 bytes a value.
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct GatedActivationKernel {
    static constexpr uint32_t kThreads = 256;

    static __device__ void run(const SoloThread& thread, const ops::GatedActivation& op) {
        const uint64_t index = thread.globalIndex();
        if (index >= uint64_t(op.rows) * op.columns) return;
        const uint64_t row = index / op.columns, i = index % op.columns;
        const float gate = ops::at<const float>(op.gate)[row * op.gateStride + (op.gateColumns == 1 ? 0 : i)];
        const float up = op.up ? ops::at<const float>(op.up)[row / op.upRepeat * op.upStride + i] : 1.0f;
        ops::at<float>(op.y)[row * op.yStride + i] = ops::gatedValue(op, gate, up);
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::GatedActivation& op, void* stream) {
    const uint64_t values = uint64_t(op.rows) * op.columns;
    launch<GatedActivationKernel>({blocksFor(values, GatedActivationKernel::kThreads)}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
