// A warp per row, alone in its block: lane l looks after the experts l, l + 32, ... in shared memory, and after slot l of the
// result. The best expert of a slot is found in a butterfly. Bound by latency: a row is a few kilobytes.
#include "kernels/launch.h"

#include <cmath>

namespace steelyard::kernels {

namespace {

struct RouteKernel {
    static constexpr uint32_t kThreads = 32;
    static_assert(ops::kMaxExpertsUsed <= kThreads, "a lane per slot");
    struct Shared {
        float values[ops::kMaxExperts], scores[ops::kMaxExperts], groupScores[ops::kMaxExperts];
    };

    // Takes the groups that are not among the best out of the choice.
    static __device__ void dropGroups(const Thread& thread, Shared& shared, const ops::Route& op) {
        const uint32_t size = op.experts / op.groups;
        for (uint32_t g = thread.lane(); g < op.groups; g += 32) {
            float first = -INFINITY, second = -INFINITY;
            for (uint32_t e = g * size; e < (g + 1) * size; ++e) {
                const float score = shared.scores[e];
                second = fmaxf(second, fminf(first, score));
                first = fmaxf(first, score);
            }
            shared.groupScores[g] = size > 1 ? first + second : first;
        }
        thread.warpBarrier();
        for (uint32_t g = thread.lane(); g < op.groups; g += 32) {
            const float score = shared.groupScores[g];
            uint32_t better = 0;
            for (uint32_t other = 0; other < op.groups; ++other)
                better += shared.groupScores[other] > score || (shared.groupScores[other] == score && other < g);
            for (uint32_t e = g * size; better >= op.groupsUsed && e < (g + 1) * size; ++e) shared.scores[e] = -INFINITY;
        }
        thread.warpBarrier();
    }

    // The expert of the largest score, of equals the first; the same in every lane.
    static __device__ uint32_t bestExpert(const Thread& thread, const Shared& shared, uint32_t experts) {
        float score = -INFINITY;
        uint32_t best = thread.lane();
        for (uint32_t e = thread.lane(); e < experts; e += 32)
            if (shared.scores[e] > score) {
                score = shared.scores[e];
                best = e;
            }
        for (uint32_t bits = 16; bits > 0; bits /= 2) {
            const float otherScore = thread.shuffleXor(score, bits);
            const uint32_t other = thread.shuffleXor(best, bits);
            if (otherScore > score || (otherScore == score && other < best)) {
                score = otherScore;
                best = other;
            }
        }
        return best;
    }

    static __device__ void run(const Thread& thread, Shared& shared, const ops::Route& op) {
        const uint32_t row = thread.blockX(), lane = thread.lane();
        const float* logits = ops::at<const float>(op.logits) + uint64_t(row) * op.experts;
        float largest = -INFINITY, sum = 0.0f;
        for (uint32_t e = lane; e < op.experts; e += 32) largest = fmaxf(largest, logits[e]);
        largest = thread.warpMaximum(largest);
        for (uint32_t e = lane; e < op.experts; e += 32) sum += expf(logits[e] - largest);
        sum = thread.warpSum(sum);
        for (uint32_t e = lane; e < op.experts; e += 32) {
            shared.values[e] = ops::routeValue(op.function, logits[e], largest, sum);
            shared.scores[e] = shared.values[e] + (op.bias ? ops::at<const float>(op.bias)[e] : 0.0f);
        }
        thread.warpBarrier();
        if (op.groups > 1) dropGroups(thread, shared, op);
        uint32_t expert = 0; // of the lane's slot
        for (uint32_t slot = 0; slot < op.used; ++slot) {
            const uint32_t best = bestExpert(thread, shared, op.experts);
            if (best % 32 == lane) shared.scores[best] = -INFINITY; // that no other lane reads
            if (slot == lane) expert = best;
        }
        const bool used = lane < op.used;
        float weight = used ? shared.values[expert] : 0.0f;
        const bool ofChosen = op.function == ops::RouteFunction::SoftmaxOfChosen;
        if (ofChosen) {
            const float chosenLargest = thread.warpMaximum(used ? weight : -INFINITY);
            weight = used ? expf(weight - chosenLargest) : 0.0f;
        }
        const float total = thread.warpSum(weight);
        if (!used) return;
        const float factor = op.scale / (op.normalise || ofChosen ? fmaxf(total, 6.103515625e-5f) : 1.0f);
        const float expertScale = op.expertScales ? ops::at<const float>(op.expertScales)[expert] : 1.0f;
        ops::at<int32_t>(op.ids)[uint64_t(row) * op.used + lane] = static_cast<int32_t>(expert);
        ops::at<float>(op.weights)[uint64_t(row) * op.used + lane] = weight * (factor * expertScale);
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::Route& op, void* stream) {
    if (op.experts > ops::kMaxExperts || op.used > ops::kMaxExpertsUsed) return "it chooses among fewer experts";
    launch<RouteKernel>({op.rows}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
