// A mixture of experts: the router's choice, the chosen experts' feed-forwards, their weighted sum, and the shared expert.
#include "engine/model/blocks/block.h"

#include <cmath>

namespace steelyard {

namespace {

void route(const StepContext& step, const ExpertsSpec& spec, const FeedForwardWeights& weights, uint64_t input) {
    const auto x = prepare(step, input, step.rows, {&weights.router});
    linear(step, x, weights.router, step.rows, step.at.routed, {weights.routerBias.address, 0}); // [R, experts]
    ops::Route op{};
    op.logits = step.at.routed;
    op.bias = weights.choiceBias.address;
    op.expertScales = weights.downScales.address;
    op.ids = step.at.expertIds;
    op.weights = step.at.expertWeights;
    op.rows = step.rows;
    op.experts = spec.count;
    op.used = spec.used;
    op.groups = spec.groups;
    op.groupsUsed = spec.groupsUsed;
    op.function = spec.function;
    op.normalise = spec.normalise;
    op.scale = spec.scale;
    step.device.run(op);
}

// expertOutputs [R, used, E] of the chosen experts.
void runExperts(const StepContext& step, const FeedForwardSpec& feedForward, const FeedForwardWeights& weights, uint64_t input) {
    const auto& spec = *feedForward.experts;
    const uint32_t rows = step.rows, used = spec.used, embedding = step.spec.embedding;
    const uint64_t ids = step.at.expertIds;
    uint32_t inputSlots = 1;
    if (spec.weighInput) {
        auto weigh = ops::gatedActivationOf(step.at.expertWeights, input, step.at.expertOutputs, rows * used, embedding, ops::GateFunction::Identity);
        weigh.gateColumns = weigh.gateStride = 1;
        weigh.upRepeat = used;
        step.device.run(weigh);
        input = step.at.expertOutputs;
        inputSlots = used;
    }
    const auto x = prepare(step, input, rows * inputSlots, {&weights.expertGate, &weights.expertUp});
    if (spec.gated)
        expertLinear(step, x, weights.expertGate, rows, used, step.at.gate, {ids, weights.expertGateBias.address, inputSlots, 0});
    expertLinear(step, x, weights.expertUp, rows, used, step.at.up, {ids, weights.expertUpBias.address, inputSlots, 0});
    if (spec.gated) activate(step, feedForward.activation, step.at.gate, step.at.up, step.at.gate, rows * used, spec.length);
    else activate(step, feedForward.activation, step.at.up, 0, step.at.gate, rows * used, spec.length);
    const auto middle = prepare(step, step.at.gate, rows * used, {&weights.expertDown});
    expertLinear(step, middle, weights.expertDown, rows, used, step.at.expertOutputs, {ids, weights.expertDownBias.address, used, 0});
}

// Adds the shared expert's output to y.
void addShared(const StepContext& step, const FeedForwardSpec& feedForward, const FeedForwardWeights& weights, uint64_t input, uint64_t y) {
    const auto& spec = *feedForward.experts;
    const uint32_t rows = step.rows, embedding = step.spec.embedding;
    const auto x = prepare(step, input, rows, {&weights.sharedGate, &weights.sharedUp, &weights.sharedWeight});
    if (spec.gated) linear(step, x, weights.sharedGate, rows, step.at.gate);
    linear(step, x, weights.sharedUp, rows, step.at.up);
    if (spec.sharedGate) linear(step, x, weights.sharedWeight, rows, step.at.expertWeights); // [R, 1]
    if (spec.gated) activate(step, feedForward.activation, step.at.gate, step.at.up, step.at.gate, rows, spec.sharedLength);
    else activate(step, feedForward.activation, step.at.up, 0, step.at.gate, rows, spec.sharedLength);
    const auto middle = prepare(step, step.at.gate, rows, {&weights.sharedDown});
    if (!spec.sharedGate) {
        linear(step, middle, weights.sharedDown, rows, y, {0, y});
        return;
    }
    linear(step, middle, weights.sharedDown, rows, step.at.expertOutputs);
    auto weigh = ops::gatedActivationOf(step.at.expertWeights, step.at.expertOutputs, step.at.expertOutputs, rows, embedding, ops::GateFunction::Sigmoid);
    weigh.gateColumns = weigh.gateStride = 1;
    step.device.run(weigh);
    step.device.run(ops::sumOf(y, step.at.expertOutputs, y, rows, embedding));
}

} // namespace

void expertsBlock(const StepContext& step, const FeedForwardSpec& spec, const FeedForwardWeights& weights, uint64_t input, Sink sink) {
    const auto& experts = *spec.experts;
    route(step, experts, weights, input);
    runExperts(step, spec, weights, input);
    const uint64_t summed = experts.weighInput ? 0 : step.at.expertWeights;
    step.device.run(ops::CombineExperts{step.at.expertOutputs, summed, sink.residual, sink.y, step.rows, experts.used, step.spec.embedding, 0});
    if (experts.sharedLength > 0) addShared(step, spec, weights, input, sink.y);
}

void pairedFeedForwardBlock(const StepContext& step, const FeedForwardSpec& spec, const FeedForwardWeights& weights, uint64_t input,
                            uint64_t hidden, uint64_t y) {
    const uint32_t rows = step.rows, embedding = step.spec.embedding;
    // The router reads the residual stream, normed without weights, times its own scale and 1 / sqrt(E).
    auto router = ops::rmsNormOf(hidden, weights.routerScale.address, step.at.attended, rows, embedding, step.spec.normEpsilon);
    router.scale = 1.0f / std::sqrt(static_cast<float>(embedding));
    step.device.run(router);
    route(step, *spec.experts, weights, step.at.attended);
    feedForwardBlock(step, spec, weights, input, {y, 0});
    rmsNorm(step, weights.denseOutputNorm, y, rows, embedding, y);
    rmsNorm(step, weights.expertsInputNorm, hidden, rows, embedding, step.at.attended);
    runExperts(step, spec, weights, step.at.attended);
    step.device.run(ops::CombineExperts{step.at.expertOutputs, step.at.expertWeights, 0, step.at.attended, rows, spec.experts->used, embedding, 0});
    rmsNorm(step, weights.expertsOutputNorm, step.at.attended, rows, embedding, step.at.attended);
    step.device.run(ops::sumOf(y, step.at.attended, y, rows, embedding));
}

} // namespace steelyard
