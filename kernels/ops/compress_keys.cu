// One thread per channel of a sequence, which takes the run's rows in order; neighbours read and write neighbouring channels.
// The ring stays in the cache. Bound by latency: a row's step waits for the one before.
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct CompressKeysKernel {
    static constexpr uint32_t kThreads = 64;

    static __device__ void run(const SoloThread& thread, const ops::CompressKeys& op) {
        const uint32_t channel = thread.blockX() * kThreads + thread.index();
        if (channel < op.channels) ops::compute(op, thread.blockY() * op.channels + channel);
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::CompressKeys& op, void* stream) {
    launch<CompressKeysKernel>({blocksFor(op.channels, CompressKeysKernel::kThreads), op.sequences}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
