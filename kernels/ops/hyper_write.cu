// One thread per column of a row, which keeps the column's value of each stream. Bound by the bytes of the streams.
#include "kernels/device/arithmetic.h"
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct HyperWriteKernel {
    static constexpr uint32_t kThreads = 256;

    static __device__ void run(const SoloThread& thread, const ops::HyperWrite& op) {
        const uint32_t row = thread.blockX(), column = thread.blockY() * kThreads + thread.index(), streams = op.streams;
        if (column >= op.columns) return;
        const float* gates = ops::at<const float>(op.gates) + uint64_t(row) * streams * (1 + streams);
        const float x = ops::at<const float>(op.x)[uint64_t(row) * op.columns + column];
        float* stream = ops::at<float>(op.stream) + uint64_t(row) * streams * op.columns + column;
        float before[ops::kMaxStreams];
        for (uint32_t s = 0; s < streams; ++s) before[s] = stream[uint64_t(s) * op.columns];
        for (uint32_t d = 0; d < streams; ++d) {
            float sum = multiply(gates[d], x);
            for (uint32_t s = 0; s < streams; ++s) sum = multiplyAdd(gates[streams + s * streams + d], before[s], sum);
            stream[uint64_t(d) * op.columns] = sum;
        }
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::HyperWrite& op, void* stream) {
    if (op.streams > ops::kMaxStreams) return "it mixes fewer streams";
    launch<HyperWriteKernel>({op.rows, blocksFor(op.columns, HyperWriteKernel::kThreads)}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
