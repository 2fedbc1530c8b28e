// One thread per unit of 16 bytes. Bound by bandwidth.
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct CopyKernel {
    static constexpr uint32_t kThreads = 256;

    static __device__ void run(const SoloThread& thread, const ops::Copy& op) {
        const uint64_t unit = thread.globalIndex();
        if (unit >= op.units) return;
        const auto* from = ops::at<const uint32_t>(op.from) + unit * 4;
        auto* to = ops::at<uint32_t>(op.to) + unit * 4;
        for (uint32_t word = 0; word < 4; ++word) to[word] = from[word];
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::Copy& op, void* stream) {
    launch<CopyKernel>({blocksFor(op.units, CopyKernel::kThreads)}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
