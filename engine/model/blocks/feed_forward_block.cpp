// Gated feed-forward: down(f(gate(x)) * up(x)), with optional biases and post norm.
#include "engine/model/blocks/block.h"

namespace steelyard {

void feedForwardBlock(const StepContext& step, const LayerSpec& spec, const LayerWeights& weights) {
    const uint32_t rows = step.rows, embedding = step.spec.embedding, length = spec.feedForward.length;
    norm(step, step.at.hidden, weights.feedForwardNorm, rows, embedding, step.at.normed);
    const auto input = prepare(step, step.at.normed, rows, {&weights.gate, &weights.up});
    linear(step, input, weights.gate, rows, step.at.gate, {weights.gateBias.address, 0}); // [R, length]
    linear(step, input, weights.up, rows, step.at.up, {weights.upBias.address, 0});       // [R, length]
    step.device.run(ops::gatedActivationOf(step.at.gate, step.at.up, step.at.gate, rows, length, spec.feedForward.function));
    const auto gated = prepare(step, step.at.gate, rows, {&weights.down});
    if (!spec.postNorms) {
        linear(step, gated, weights.down, rows, step.at.hidden, {weights.downBias.address, step.at.hidden});
        return;
    }
    linear(step, gated, weights.down, rows, step.at.branch, {weights.downBias.address, 0});
    norm(step, step.at.branch, weights.feedForwardPostNorm, rows, embedding, step.at.branch);
    step.device.run(ops::sumOf(step.at.hidden, step.at.branch, step.at.hidden, rows, embedding));
}

} // namespace steelyard
