// A warp per row of a head's state (one value of the head), kept in registers over the run (state_row.h); a block of four
// warps per four rows. Neighbouring lanes read neighbouring values of state, q, k and gate, a row ahead of the one that is
// computed. Bound by the state's bytes, read and written once, for short runs, and by the latency of two sums over the warp
// a row for long ones.
#include "kernels/device/arithmetic.h"
#include "kernels/device/state_row.h"

namespace steelyard::kernels {

namespace {

template <uint32_t count>
struct DeltaRuleKernel {
    static constexpr uint32_t kThreads = 128, kWarps = kThreads / 32;
    struct Shared {};

    // What a row brings.
    struct Inputs {
        float v, beta, gate; // the gate where there is one for all
        StateRow<count> q, k, gates;

        __device__ void load(const Thread& thread, const ops::DeltaRule& op, uint64_t row, uint32_t index) {
            const uint32_t head = index / op.headDimV;
            const uint64_t key = (row * op.keyHeads + ops::keyHeadOf(op, head)) * op.headDimK, headRow = row * op.valueHeads + head;
            v = ops::at<const float>(op.v)[row * op.valueHeads * op.headDimV + index];
            beta = ops::at<const float>(op.beta)[headRow];
            q.load(thread, ops::at<const float>(op.q) + key, op.headDimK);
            k.load(thread, ops::at<const float>(op.k) + key, op.headDimK);
            const float* first = ops::at<const float>(op.gate) + headRow * op.gateColumns;
            gate = first[0];
            if (op.gateColumns > 1) gates.load(thread, first, op.headDimK);
        }
    };

    static __device__ void run(const Thread& thread, Shared&, const ops::DeltaRule& op) {
        const uint32_t perSequence = op.valueHeads * op.headDimV, index = thread.blockX() * kWarps + thread.warp();
        const ops::SequenceRun run = ops::at<const ops::SequenceRun>(op.runs)[thread.blockY()];
        if (index >= perSequence || run.rows <= 0) return; // the same for a whole warp
        float* kept = ops::at<float>(op.state + static_cast<uint64_t>(run.state) * op.stateStride) + uint64_t(index) * op.headDimK;
        StateRow<count> state;
        if (run.continues) state.load(thread, kept, op.headDimK);
        Inputs inputs, next;
        next.load(thread, op, static_cast<uint64_t>(run.firstRow), index);
        for (int32_t i = 0; i < run.rows; ++i) {
            const uint64_t row = static_cast<uint64_t>(run.firstRow + i);
            inputs = next;
            if (i + 1 < run.rows) next.load(thread, op, row + 1, index);
            const float oneGate = expf(inputs.gate);
            float held = 0.0f, sum = 0.0f;
            for (uint32_t j = 0; j < count; ++j) {
                state.values[j] = multiply(state.values[j], op.gateColumns == 1 ? oneGate : expf(inputs.gates.values[j]));
                held = multiplyAdd(state.values[j], inputs.k.values[j], held);
            }
            const float error = multiply(inputs.v - thread.warpSum(held), inputs.beta);
            for (uint32_t j = 0; j < count; ++j) {
                state.values[j] = multiplyAdd(error, inputs.k.values[j], state.values[j]);
                sum = multiplyAdd(state.values[j], inputs.q.values[j], sum);
            }
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
