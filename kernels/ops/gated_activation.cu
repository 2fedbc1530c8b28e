// One thread per value. Bound by bandwidth: 12 bytes a value.
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct GatedActivationKernel {
    static constexpr uint32_t kThreads = 256;

    static __device__ void run(const SoloThread& thread, const ops::GatedActivation& op) {
        const uint64_t i = thread.globalIndex();
        if (i >= uint64_t(op.rows) * op.columns) return;
        const float gate = ops::gateValue(op.function, ops::at<const float>(op.gate)[i]);
        ops::at<float>(op.y)[i] = gate * ops::at<const float>(op.up)[i];
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
