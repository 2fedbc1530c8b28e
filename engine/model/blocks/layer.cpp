// The flow of a layer around the residual stream: norms, mixer, feed-forward, and how their outputs are added.
#include "engine/model/blocks/block.h"

#include <cmath>

namespace steelyard {

namespace {

// Where a part whose output still needs a norm or a factor gives it; else it adds to the residual stream at once.
Sink sinkFor(const StepContext& step, bool deferred) {
    return deferred ? Sink{step.at.branch, 0} : Sink{step.at.hidden, step.at.hidden};
}

// hidden += scale * norm(branch).
void addBranch(const StepContext& step, const std::optional<NormSpec>& post, const NormWeights& weights) {
    const uint32_t rows = step.rows, embedding = step.spec.embedding;
    if (post) norm(step, weights, step.at.branch, rows, embedding, step.at.branch);
    auto sum = ops::sumOf(step.at.hidden, step.at.branch, step.at.hidden, rows, embedding);
    sum.scaleB = step.spec.residualScale;
    step.device.run(sum);
}

void mix(const StepContext& step, const LayerSpec& spec, const LayerWeights& weights, uint32_t layer, uint64_t input) {
    const bool deferred = spec.mixerPostNorm || step.spec.residualScale != 1.0f;
    Sink sink = sinkFor(step, deferred);
    if (spec.attention) {
        if (spec.attention->latent) latentAttentionBlock(step, *spec.attention, weights.attention, layer, input, sink);
        else attentionBlock(step, *spec.attention, weights.attention, layer, input, sink);
        sink.residual = sink.y; // what runs beside it adds to it
    }
    if (spec.recurrent) recurrentBlock(step, *spec.recurrent, weights.recurrent, layer, input, sink);
    if (deferred) addBranch(step, spec.mixerPostNorm, weights.mixerPostNorm);
}

void feedForward(const StepContext& step, const LayerSpec& spec, const LayerWeights& weights, uint64_t input) {
    const auto& part = *spec.feedForward;
    const bool paired = part.experts && part.experts->ownNorms;
    const bool deferred = paired || spec.feedForwardPostNorm || step.spec.residualScale != 1.0f;
    const Sink sink = sinkFor(step, deferred);
    if (paired) pairedFeedForwardBlock(step, part, weights.feedForward, input, step.at.hidden, sink.y);
    else if (part.experts) expertsBlock(step, part, weights.feedForward, input, sink);
    else feedForwardBlock(step, part, weights.feedForward, input, sink);
    if (deferred) addBranch(step, spec.feedForwardPostNorm, weights.feedForwardPostNorm);
}

// hidden += norm(projection(gelu(gate(hidden)) * the layer's own embedding of the token)).
void addPerLayerInput(const StepContext& step, const LayerSpec& spec, const LayerWeights& weights, uint32_t layer) {
    const uint32_t rows = step.rows, width = spec.perLayerInput, all = width * static_cast<uint32_t>(step.spec.layers.size());
    const auto x = prepare(step, step.at.hidden, rows, {&weights.perLayerGate});
    linear(step, x, weights.perLayerGate, rows, step.at.gate);
    auto gated = ops::gatedActivationOf(step.at.gate, step.at.perLayer + uint64_t(layer) * width * sizeof(float), step.at.gate, rows, width,
                                        ops::GateFunction::Gelu);
    gated.upStride = all;
    step.device.run(gated);
    linear(step, prepare(step, step.at.gate, rows, {&weights.perLayerProjection}), weights.perLayerProjection, rows, step.at.branch);
    norm(step, weights.perLayerNorm, step.at.branch, rows, step.spec.embedding, step.at.branch);
    step.device.run(ops::sumOf(step.at.hidden, step.at.branch, step.at.hidden, rows, step.spec.embedding));
}

} // namespace

// (norm(projection(hidden) / sqrt(E)) + sqrt(width) * the tokens' rows) / sqrt(2).
void perLayerEmbeddings(const StepContext& step) {
    const uint32_t rows = step.rows, layers = static_cast<uint32_t>(step.spec.layers.size());
    const uint32_t width = step.spec.layers[0].perLayerInput, all = width * layers;
    const float half = 1.0f / std::sqrt(2.0f);
    lookUp(step, step.weights.perLayerTable, step.data.ids, rows, step.spec.vocabulary, std::sqrt(static_cast<float>(width)), step.at.perLayer);
    const auto x = prepare(step, step.at.hidden, rows, {&step.weights.perLayerProjection});
    linear(step, x, step.weights.perLayerProjection, rows, step.at.branch); // [R, layers * width]
    auto normed = ops::rmsNormOf(step.at.branch, step.weights.perLayerNorm.address, step.at.branch, rows * layers, width,
                                 step.spec.normEpsilon * static_cast<float>(step.spec.embedding)); // of the values times 1 / sqrt(E)
    step.device.run(normed);
    auto sum = ops::sumOf(step.at.branch, step.at.perLayer, step.at.perLayer, rows, all);
    sum.scaleA = sum.scaleB = half;
    step.device.run(sum);
}

void runMixer(const StepContext& step, const LayerSpec& spec, const LayerWeights& weights, uint32_t layer) {
    const uint32_t rows = step.rows, embedding = step.spec.embedding;
    uint64_t input = step.at.hidden;
    if (spec.inputNorm) {
        norm(step, weights.inputNorm, step.at.hidden, rows, embedding, step.at.normed);
        input = step.at.normed;
    }
    if (spec.mixerNorm) {
        norm(step, weights.mixerNorm, step.at.hidden, rows, embedding, step.at.branch);
        input = step.at.branch;
    }
    if (spec.attention || spec.recurrent) mix(step, spec, weights, layer, input);
}

void runFeedForward(const StepContext& step, const LayerSpec& spec, const LayerWeights& weights, uint32_t layer) {
    const uint32_t rows = step.rows, embedding = step.spec.embedding;
    if (spec.feedForward) {
        uint64_t input = spec.parallel && spec.inputNorm ? step.at.normed : step.at.hidden;
        if (spec.feedForwardNorm) {
            norm(step, weights.feedForwardNorm, step.at.hidden, rows, embedding, step.at.normed);
            input = step.at.normed;
        }
        feedForward(step, spec, weights, input);
    }
    if (spec.perLayerInput) addPerLayerInput(step, spec, weights, layer);
    if (!spec.outputScale) return;
    auto scale = ops::gatedActivationOf(weights.outputScale.address, step.at.hidden, step.at.hidden, rows, embedding, ops::GateFunction::Identity);
    scale.gateColumns = 1;
    scale.gateStride = 0;
    step.device.run(scale);
}

} // namespace steelyard
