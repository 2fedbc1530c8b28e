// One thread per channel of a sequence, which takes the run's rows in order and keeps the last inputs in registers; neighbours
// read and write neighbouring channels. Some rows are read at once, so that their ways to memory overlap. Built once per
// width. Bound by bandwidth, 8 bytes a value, where there are many channels, and by latency where there are few.
#include "kernels/device/arithmetic.h"
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

template <uint32_t kWidth>
struct CausalConvKernel {
    static constexpr uint32_t kThreads = 128;
    static constexpr int32_t kRowsAtOnce = 8;

    static __device__ void run(const SoloThread& thread, const ops::CausalConv& op) {
        const uint32_t channel = thread.blockX() * kThreads + thread.index();
        const ops::SequenceRun run = ops::at<const ops::SequenceRun>(op.runs)[thread.blockY()];
        if (channel >= op.channels || run.rows <= 0) return;
        float* state = ops::at<float>(op.state + static_cast<uint64_t>(run.state) * op.stateStride) + channel;
        const float bias = op.bias ? ops::at<const float>(op.bias)[channel] : 0.0f;
        float weight[kWidth], inputs[kWidth]; // oldest first
        for (uint32_t k = 0; k < kWidth; ++k) weight[k] = ops::at<const float>(op.weight)[uint64_t(channel) * kWidth + k];
        for (uint32_t k = 0; k + 1 < kWidth; ++k) inputs[k] = run.continues ? state[uint64_t(k) * op.channels] : 0.0f;
        const float* x = ops::at<const float>(op.x) + static_cast<uint64_t>(run.firstRow) * op.xStride + channel;
        float* y = ops::at<float>(op.y) + static_cast<uint64_t>(run.firstRow) * op.channels + channel;
        for (int32_t first = 0; first < run.rows; first += kRowsAtOnce) {
            float values[kRowsAtOnce];
            for (int32_t i = 0; i < kRowsAtOnce; ++i)
                values[i] = first + i < run.rows ? x[static_cast<uint64_t>(first + i) * op.xStride] : 0.0f;
            for (int32_t i = 0; i < kRowsAtOnce && first + i < run.rows; ++i) {
                inputs[kWidth - 1] = values[i];
                float sum = bias;
                for (uint32_t k = 0; k < kWidth; ++k) sum = multiplyAdd(weight[k], inputs[k], sum);
                y[static_cast<uint64_t>(first + i) * op.channels] = ops::gateValue(op.function, 1.0f, sum);
                for (uint32_t k = 0; k + 1 < kWidth; ++k) inputs[k] = inputs[k + 1];
            }
        }
        for (uint32_t k = 0; k + 1 < kWidth; ++k) state[uint64_t(k) * op.channels] = inputs[k];
    }
};

// Starts the kernel of the op's width.
template <uint32_t kWidth = 1>
const char* launchWidth(const ops::CausalConv& op, void* stream) {
    if (op.width != kWidth) {
        if constexpr (kWidth < ops::kMaxConvWidth) return launchWidth<kWidth + 1>(op, stream);
        else return "it does not know this width";
    }
    using Kernel = CausalConvKernel<kWidth>;
    launch<Kernel>({blocksFor(op.channels, Kernel::kThreads), op.sequences}, stream, op);
    return nullptr;
}

} // namespace

template <>
const char* launchOp<Target>(const ops::CausalConv& op, void* stream) {
    return launchWidth(op, stream);
}

} // namespace steelyard::kernels
