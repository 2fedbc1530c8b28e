// The choice of experts for each row of a mixture of experts, and their weights.
//
//   p = function(logits):  Softmax over all experts, Sigmoid, SqrtSoftplus sqrt(ln(1 + exp(x))), or SoftmaxOfChosen: p = logits
//   s = p + bias (bias only chooses);  with groups > 1: experts lie in `groups` equal groups, a group's score is the sum of
//   its two largest s, and only the experts of the groupsUsed best groups may be chosen
//   ids[r, :]     the `used` experts of largest s, largest first, a tie by the lower number
//   weights[r, :] p of the chosen, with SoftmaxOfChosen the softmax over their logits; with `normalise` divided by their sum
//                 (not below 2^-14); then times scale and, where given, times expertScales[id]
//   logits   float [rows, experts];  bias  float [experts] or 0;  expertScales  float [experts] or 0
//   ids      int32 [rows, used];  weights  float [rows, used]
// At most kMaxExperts experts, of which kMaxExpertsUsed are used. Reads logits, bias, expertScales; writes ids, weights.
// Sources: Fedus et al., "Switch Transformers"; DeepSeek-AI, "DeepSeek-V3" (groups, bias, sigmoid).
#pragma once

#include "kernels/ops/op.h"

#include <cmath>

namespace steelyard::ops {

constexpr uint32_t kMaxExperts = 1024, kMaxExpertsUsed = 32;

enum class RouteFunction : uint32_t { Softmax = 0, Sigmoid = 1, SoftmaxOfChosen = 2, SqrtSoftplus = 3 };

struct Route {
    static constexpr const char* name = "route";
    uint64_t logits;
    uint64_t bias;
    uint64_t expertScales;
    uint64_t ids;
    uint64_t weights;
    uint32_t rows;
    uint32_t experts;
    uint32_t used;
    uint32_t groups;     // at least 1
    uint32_t groupsUsed; // at most groups
    RouteFunction function;
    uint32_t normalise;  // 0 or 1
    float scale;
};
static_assert(isOp<Route>);

__host__ __device__ inline uint32_t items(const Route& op) { return op.rows; }

// p of one expert; largest and sum are those of the row's logits and of exp(logit - largest), for Softmax.
__host__ __device__ inline float routeValue(RouteFunction function, float logit, float largest, float sum) {
    switch (function) {
    case RouteFunction::Softmax: return std::exp(logit - largest) / sum;
    case RouteFunction::Sigmoid: return 1.0f / (1.0f + std::exp(-logit));
    case RouteFunction::SoftmaxOfChosen: return logit;
    case RouteFunction::SqrtSoftplus: return std::sqrt(logit > 20.0f ? logit : std::log1p(std::exp(logit)));
    }
    return logit;
}

__host__ __device__ inline void compute(const Route& op, uint32_t row) {
    const float* logits = at<const float>(op.logits) + uint64_t(row) * op.experts;
    const float* bias = op.bias ? at<const float>(op.bias) : nullptr;
    int32_t* ids = at<int32_t>(op.ids) + uint64_t(row) * op.used;
    float* weights = at<float>(op.weights) + uint64_t(row) * op.used;
    float largest = -INFINITY, sum = 0.0f;
    for (uint32_t e = 0; e < op.experts; ++e) largest = std::fmax(largest, logits[e]);
    for (uint32_t e = 0; e < op.experts; ++e) sum += std::exp(logits[e] - largest);
    float values[kMaxExperts], scores[kMaxExperts], groupScores[kMaxExperts];
    for (uint32_t e = 0; e < op.experts; ++e) {
        values[e] = routeValue(op.function, logits[e], largest, sum);
        scores[e] = values[e] + (bias ? bias[e] : 0.0f);
    }
    if (op.groups > 1) {
        const uint32_t size = op.experts / op.groups;
        for (uint32_t g = 0; g < op.groups; ++g) {
            float first = -INFINITY, second = -INFINITY;
            for (uint32_t e = g * size; e < (g + 1) * size; ++e) {
                if (scores[e] > first) second = first, first = scores[e];
                else if (scores[e] > second) second = scores[e];
            }
            groupScores[g] = size > 1 ? first + second : first;
        }
        for (uint32_t g = 0; g < op.groups; ++g) {
            uint32_t better = 0; // groups before this one
            for (uint32_t other = 0; other < op.groups; ++other)
                better += groupScores[other] > groupScores[g] || (groupScores[other] == groupScores[g] && other < g);
            if (better < op.groupsUsed) continue;
            for (uint32_t e = g * size; e < (g + 1) * size; ++e) scores[e] = -INFINITY;
        }
    }
    float total = 0.0f, chosenLargest = -INFINITY;
    for (uint32_t slot = 0; slot < op.used; ++slot) {
        uint32_t best = 0;
        for (uint32_t e = 1; e < op.experts; ++e)
            if (scores[e] > scores[best]) best = e;
        ids[slot] = static_cast<int32_t>(best);
        weights[slot] = values[best];
        chosenLargest = std::fmax(chosenLargest, values[best]);
        scores[best] = -INFINITY;
    }
    for (uint32_t slot = 0; slot < op.used; ++slot) {
        if (op.function == RouteFunction::SoftmaxOfChosen) weights[slot] = std::exp(weights[slot] - chosenLargest);
        total += weights[slot];
    }
    const bool divide = op.normalise || op.function == RouteFunction::SoftmaxOfChosen;
    const float factor = op.scale / (divide ? std::fmax(total, 6.103515625e-5f) : 1.0f);
    for (uint32_t slot = 0; slot < op.used; ++slot)
        weights[slot] *= factor * (op.expertScales ? at<const float>(op.expertScales)[ids[slot]] : 1.0f);
}

} // namespace steelyard::ops
