// A warp per row of a head's state, kept in registers over the run (state_row.h); a block of four warps per four rows.
// Neighbouring lanes read neighbouring values of state, b and c. Bound by the state's bytes, read and written once, for
// short runs, and by the latency of a row for long ones.
#include "kernels/device/arithmetic.h"
#include "kernels/device/state_row.h"

namespace steelyard::kernels {

namespace {

template <uint32_t count>
struct SsmScanKernel {
    static constexpr uint32_t kThreads = 128, kWarps = kThreads / 32;
    struct Shared {};

    static __device__ void run(const Thread& thread, Shared&, const ops::SsmScan& op) {
        const uint32_t perSequence = op.heads * op.headDim, index = thread.blockX() * kWarps + thread.warp();
        const ops::SequenceRun run = ops::at<const ops::SequenceRun>(op.runs)[thread.blockY()];
        if (index >= perSequence || run.rows <= 0) return; // the same for a whole warp
        const uint32_t head = index / op.headDim, group = head / (op.heads / op.groups);
        float* kept = ops::at<float>(op.state + static_cast<uint64_t>(run.state) * op.stateStride) + uint64_t(index) * op.stateDim;
        const float bias = op.dtBias ? ops::at<const float>(op.dtBias)[head] : 0.0f;
        const float a = ops::at<const float>(op.a)[head], d = ops::at<const float>(op.d)[head];
        StateRow<count> state;
        if (run.continues) state.load(thread, kept, op.stateDim);
        for (int32_t i = 0; i < run.rows; ++i) {
            const uint64_t row = static_cast<uint64_t>(run.firstRow + i);
            const float dt = ops::softplus(ops::at<const float>(op.dtRaw)[row * op.heads + head] + bias);
            const float decay = expf(multiply(dt, a)), x = ops::at<const float>(op.x)[row * op.stride + index];
            const float input = multiply(dt, x);
            const float* b = ops::at<const float>(op.b) + row * op.stride + uint64_t(group) * op.stateDim;
            const float* c = ops::at<const float>(op.c) + row * op.stride + uint64_t(group) * op.stateDim;
            float sum = 0.0f;
            state.forEach(thread, op.stateDim, [&](float& value, uint32_t n) {
                value = multiplyAdd(input, b[n], multiply(value, decay));
                sum = multiplyAdd(value, c[n], sum);
            });
            sum = thread.warpSum(sum);
            if (thread.lane() == 0) ops::at<float>(op.y)[row * perSequence + index] = multiplyAdd(d, x, sum);
        }
        state.store(thread, kept, op.stateDim);
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::SsmScan& op, void* stream) {
    const bool known = withStateValues(op.stateDim, [&]<uint32_t count>() {
        using Kernel = SsmScanKernel<count>;
        launch<Kernel>({blocksFor(uint64_t(op.heads) * op.headDim, Kernel::kWarps), op.sequences}, stream, op);
    });
    return known ? nullptr : "its states are too wide for a warp";
}

} // namespace steelyard::kernels
