// A warp per row of a head's state (one value of the head), kept in registers over the run (state_row.h); a block of four
// warps per four rows. Neighbouring lanes read neighbouring values of state, q, k and gate. Bound by the state's bytes,
// read and written once, for short runs, and by the latency of two sums over the warp a row for long ones.
#include "kernels/device/arithmetic.h"
#include "kernels/device/state_row.h"

namespace steelyard::kernels {

namespace {

template <uint32_t count>
struct DeltaRuleKernel {
    static constexpr uint32_t kThreads = 128, kWarps = kThreads / 32;
    struct Shared {};

    static __device__ void run(const Thread& thread, Shared&, const ops::DeltaRule& op) {
        const uint32_t perSequence = op.valueHeads * op.headDimV, index = thread.blockX() * kWarps + thread.warp();
        const ops::SequenceRun run = ops::at<const ops::SequenceRun>(op.runs)[thread.blockY()];
        if (index >= perSequence || run.rows <= 0) return; // the same for a whole warp
        const uint32_t head = index / op.headDimV, keyHead = ops::keyHeadOf(op, head);
        float* kept = ops::at<float>(op.state + static_cast<uint64_t>(run.state) * op.stateStride) + uint64_t(index) * op.headDimK;
        StateRow<count> state;
        if (run.continues) state.load(thread, kept, op.headDimK);
        for (int32_t i = 0; i < run.rows; ++i) {
            const uint64_t row = static_cast<uint64_t>(run.firstRow + i);
            const uint64_t keyRow = (row * op.keyHeads + keyHead) * op.headDimK, headRow = row * op.valueHeads + head;
            const float* q = ops::at<const float>(op.q) + keyRow;
            const float* k = ops::at<const float>(op.k) + keyRow;
            const float* gate = ops::at<const float>(op.gate) + headRow * op.gateColumns;
            const float oneGate = op.gateColumns == 1 ? expf(gate[0]) : 0.0f;
            float held = 0.0f, sum = 0.0f;
            state.forEach(thread, op.headDimK, [&](float& value, uint32_t j) {
                value = multiply(value, op.gateColumns == 1 ? oneGate : expf(gate[j]));
                held = multiplyAdd(value, k[j], held);
            });
            held = thread.warpSum(held);
            const float v = ops::at<const float>(op.v)[row * perSequence + index];
            const float error = multiply(v - held, ops::at<const float>(op.beta)[headRow]);
            state.forEach(thread, op.headDimK, [&](float& value, uint32_t j) {
                value = multiplyAdd(error, k[j], value);
                sum = multiplyAdd(value, q[j], sum);
            });
            sum = thread.warpSum(sum);
            if (thread.lane() == 0) ops::at<float>(op.y)[row * perSequence + index] = sum * op.scale;
        }
        state.store(thread, kept, op.headDimK);
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::DeltaRule& op, void* stream) {
    const bool known = withStateValues(op.headDimK, [&]<uint32_t count>() {
        using Kernel = DeltaRuleKernel<count>;
        launch<Kernel>({blocksFor(uint64_t(op.valueHeads) * op.headDimV, Kernel::kWarps), op.sequences}, stream, op);
    });
    return known ? nullptr : "its keys are too wide for a warp";
}

} // namespace steelyard::kernels
