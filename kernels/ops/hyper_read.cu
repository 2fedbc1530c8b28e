// A block per row. Every thread works out the read gates, the last one the mixing matrix; neighbours take neighbouring columns.
// Bound by the bytes of the streams; the matrix takes a few hundred steps of one thread beside them.
#include "kernels/device/arithmetic.h"
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct HyperReadKernel {
    static constexpr uint32_t kThreads = 256;

    static __device__ void run(const SoloThread& thread, const ops::HyperRead& op) {
        const uint32_t row = thread.blockX(), streams = op.streams;
        float read[ops::kMaxStreams];
        for (uint32_t s = 0; s < streams; ++s) read[s] = ops::hyperSigmoid(op, row, s) + op.epsilon;
        const float* stream = ops::at<const float>(op.stream) + uint64_t(row) * streams * op.columns;
        for (uint32_t i = thread.index(); i < op.columns; i += kThreads) {
            float sum = 0.0f;
            for (uint32_t s = 0; s < streams; ++s) sum = multiplyAdd(read[s], stream[uint64_t(s) * op.columns + i], sum);
            ops::at<float>(op.y)[uint64_t(row) * op.columns + i] = sum;
        }
        if (!op.gates || thread.index() != kThreads - 1) return; // the thread that has least to read
        float* gates = ops::at<float>(op.gates) + uint64_t(row) * streams * (1 + streams);
        for (uint32_t d = 0; d < streams; ++d) gates[d] = 2.0f * ops::hyperSigmoid(op, row, streams + d);
        ops::hyperCarry(op, row, gates + streams);
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::HyperRead& op, void* stream) {
    if (op.streams > ops::kMaxStreams) return "it mixes fewer streams";
    launch<HyperReadKernel>({op.rows}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
