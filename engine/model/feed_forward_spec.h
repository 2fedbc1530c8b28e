// The declaration of a feed-forward: dense, a mixture of experts, or both side by side.
#pragma once

#include "kernels/ops/gated_activation.h"
#include "kernels/ops/route.h"

#include <cstdint>
#include <optional>
#include <string>

namespace steelyard {

// The function in the middle, and its limits (kernels/ops/gated_activation.h).
struct ActivationSpec {
    ops::GateFunction function = ops::GateFunction::Silu;
    float slope = 1.0f, limit = 0.0f, upOffset = 0.0f;
};

struct ExpertsSpec {
    uint32_t count = 0, used = 0, length = 0;
    uint32_t groups = 1, groupsUsed = 1;
    ops::RouteFunction function = ops::RouteFunction::Softmax;
    bool normalise = false;
    float scale = 1.0f;
    bool choiceBias = false;     // exp_probs_b: only chooses
    bool routerBias = false;
    bool fused = false;          // ffn_gate_up_exps instead of two tensors
    bool gated = true;
    bool biases = false;         // of each expert's three products
    bool downScales = false;     // a factor per expert (Gemma 4)
    bool weighInput = false;     // the weights multiply what experts read, not what they give (Llama 4)
    bool ownNorms = false;       // router and experts read and give through norms of their own (Gemma 4)
    uint32_t sharedLength = 0;   // of an expert that every token uses; 0 = none
    bool sharedGate = false;     // whose output is weighed by a sigmoid (Qwen 2 MoE)
};

struct FeedForwardSpec {
    uint32_t length = 0;         // of the dense part; 0 = none
    ActivationSpec activation;
    bool gated = true;
    bool fused = false;          // ffn_up holds gate and up
    bool gateBias = false, upBias = false, downBias = false;
    std::optional<ExpertsSpec> experts;
};

} // namespace steelyard
