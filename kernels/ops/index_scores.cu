// One thread per entry of a row: the row's queries are the same for all threads of a block and come from the cache, the key is
// the thread's own. Bound by arithmetic.
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct IndexScoresKernel {
    static constexpr uint32_t kThreads = 128;

    static __device__ void run(const SoloThread& thread, const ops::IndexScores& op) {
        const uint32_t entry = thread.blockY() * kThreads + thread.index();
        if (entry < op.entries) ops::compute(op, thread.blockX() * op.entries + entry);
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::IndexScores& op, void* stream) {
    launch<IndexScoresKernel>({op.rows, blocksFor(op.entries, IndexScoresKernel::kThreads)}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
