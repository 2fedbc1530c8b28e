// A warp per row of a head's state, kept in registers over the run (state_row.h); a block of four warps per four rows.
// Neighbouring lanes read neighbouring values of state, b and c, a row ahead of the one that is computed. Bound by the state's
// bytes, read and written once, for short runs, and by the latency of a row for long ones.
#include "kernels/device/arithmetic.h"
#include "kernels/device/state_row.h"

namespace steelyard::kernels {

namespace {

template <uint32_t count>
struct SsmScanKernel {
    static constexpr uint32_t kThreads = 128, kWarps = kThreads / 32;
    struct Shared {};

    // What a row brings.
    struct Inputs {
        float raw, x;
        StateRow<count> b, c;

        __device__ void load(const Thread& thread, const ops::SsmScan& op, uint64_t row, uint32_t index) {
            const uint32_t head = index / op.headDim, group = head / (op.heads / op.groups);
            const uint64_t first = row * op.stride + uint64_t(group) * op.stateDim;
            raw = ops::at<const float>(op.dtRaw)[row * op.heads + head];
            x = ops::at<const float>(op.x)[row * op.stride + index];
            b.load(thread, ops::at<const float>(op.b) + first, op.stateDim);
            c.load(thread, ops::at<const float>(op.c) + first, op.stateDim);
        }
    };

    static __device__ void run(const Thread& thread, Shared&, const ops::SsmScan& op) {
        const uint32_t perSequence = op.heads * op.headDim, index = thread.blockX() * kWarps + thread.warp();
        const ops::SequenceRun run = ops::at<const ops::SequenceRun>(op.runs)[thread.blockY()];
        if (index >= perSequence || run.rows <= 0) return; // the same for a whole warp
        const uint32_t head = index / op.headDim;
        float* kept = ops::at<float>(op.state + static_cast<uint64_t>(run.state) * op.stateStride) + uint64_t(index) * op.stateDim;
        const float bias = op.dtBias ? ops::at<const float>(op.dtBias)[head] : 0.0f;
        const float a = ops::at<const float>(op.a)[head], d = ops::at<const float>(op.d)[head];
        StateRow<count> state;
        if (run.continues) state.load(thread, kept, op.stateDim);
        Inputs inputs, next;
        next.load(thread, op, static_cast<uint64_t>(run.firstRow), index);
        for (int32_t i = 0; i < run.rows; ++i) {
            const uint64_t row = static_cast<uint64_t>(run.firstRow + i);
            inputs = next;
            if (i + 1 < run.rows) next.load(thread, op, row + 1, index);
            const float dt = ops::softplus(inputs.raw + bias), decay = expf(multiply(dt, a)), input = multiply(dt, inputs.x);
            float sum = 0.0f;
            for (uint32_t n = 0; n < count; ++n) {
                state.values[n] = multiplyAdd(input, inputs.b.values[n], multiply(state.values[n], decay));
                sum = multiplyAdd(state.values[n], inputs.c.values[n], sum);
            }
            sum = thread.warpSum(sum);
            if (thread.lane() == 0) ops::at<float>(op.y)[row * perSequence + index] = multiplyAdd(d, inputs.x, sum);
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
