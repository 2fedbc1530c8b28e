// The dense feed-forward: down(f(gate(x)) * up(x)), or down(f(up(x))) where there is no gate.
#include "engine/model/blocks/block.h"

namespace steelyard {

void feedForwardBlock(const StepContext& step, const FeedForwardSpec& spec, const FeedForwardWeights& weights, uint64_t input, Sink sink) {
    const uint32_t rows = step.rows, length = spec.length;
    const auto x = prepare(step, input, rows, {&weights.gate, &weights.up});
    if (spec.gated) linear(step, x, weights.gate, rows, step.at.gate, {weights.gateBias.address, 0}); // [R, length]
    linear(step, x, weights.up, rows, step.at.up, {weights.upBias.address, 0});                       // [R, length]
    if (spec.gated) activate(step, spec.activation, step.at.gate, step.at.up, step.at.gate, rows, length);
    else activate(step, spec.activation, step.at.up, 0, step.at.gate, rows, length);
    const auto middle = prepare(step, step.at.gate, rows, {&weights.down});
    linear(step, middle, weights.down, rows, sink.y, {weights.downBias.address, sink.residual});
}

} // namespace steelyard
