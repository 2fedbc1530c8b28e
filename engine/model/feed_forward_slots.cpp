#include "engine/model/weight_slots.h"

namespace steelyard {

namespace {

void sharedExpertSlots(SlotList& list, uint32_t embedding, const ExpertsSpec& spec, FeedForwardWeights& weights) {
    if (spec.sharedLength == 0) return;
    if (spec.gated) list.matrix("ffn_gate_shexp", weights.sharedGate, spec.sharedLength, embedding);
    list.matrix("ffn_up_shexp", weights.sharedUp, spec.sharedLength, embedding);
    list.matrix("ffn_down_shexp", weights.sharedDown, embedding, spec.sharedLength);
    if (spec.sharedGate) list.matrix("ffn_gate_inp_shexp", weights.sharedWeight, 1, embedding);
}

void expertSlots(SlotList& list, uint32_t embedding, const ExpertsSpec& spec, FeedForwardWeights& weights) {
    const uint32_t length = spec.length, count = spec.count;
    list.matrix("ffn_gate_inp", weights.router, count, embedding);
    if (spec.routerBias) list.vector("ffn_gate_inp.bias", weights.routerBias, count);
    if (spec.choiceBias) list.vector("exp_probs_b.bias", weights.choiceBias, count);
    if (spec.fused) {
        list.matrix("ffn_gate_up_exps", weights.expertGate, length, embedding, {0, length, 2 * length}, count);
        list.matrix("ffn_gate_up_exps", weights.expertUp, length, embedding, {length, length, 2 * length}, count);
    } else {
        if (spec.gated) list.matrix("ffn_gate_exps", weights.expertGate, length, embedding, {}, count);
        list.matrix("ffn_up_exps", weights.expertUp, length, embedding, {}, count);
    }
    list.matrix("ffn_down_exps", weights.expertDown, embedding, length, {}, count);
    if (spec.biases && spec.fused) {
        list.vector("ffn_gate_up_exps.bias", weights.expertGateBias, count * length, {0, length, 2 * length});
        list.vector("ffn_gate_up_exps.bias", weights.expertUpBias, count * length, {length, length, 2 * length});
    } else if (spec.biases) {
        if (spec.gated) list.vector("ffn_gate_exps.bias", weights.expertGateBias, count * length);
        list.vector("ffn_up_exps.bias", weights.expertUpBias, count * length);
    }
    if (spec.biases) list.vector("ffn_down_exps.bias", weights.expertDownBias, count * embedding);
    if (spec.downScales) list.vector("ffn_down_exps.scale", weights.downScales, count);
    if (spec.ownNorms) {
        list.vector("ffn_gate_inp.scale", weights.routerScale, embedding);
        list.vector("post_ffw_norm_1.weight", weights.denseOutputNorm, embedding);
        list.vector("pre_ffw_norm_2.weight", weights.expertsInputNorm, embedding);
        list.vector("post_ffw_norm_2.weight", weights.expertsOutputNorm, embedding);
    }
    sharedExpertSlots(list, embedding, spec, weights);
}

} // namespace

void feedForwardSlots(SlotList& list, uint32_t embedding, const FeedForwardSpec& spec, FeedForwardWeights& weights) {
    if (spec.experts) expertSlots(list, embedding, *spec.experts, weights);
    const uint32_t length = spec.length;
    if (length == 0) return;
    const RowSelection first{0, length, 2 * length}, second{length, length, 2 * length};
    if (spec.fused) list.matrix("ffn_up", weights.gate, length, embedding, first);
    else if (spec.gated) list.matrix("ffn_gate", weights.gate, length, embedding);
    list.matrix("ffn_up", weights.up, length, embedding, spec.fused ? second : RowSelection{});
    list.matrix("ffn_down", weights.down, embedding, length);
    if (spec.gateBias) list.vector("ffn_gate.bias", weights.gateBias, length);
    if (spec.upBias) list.vector("ffn_up.bias", weights.upBias, length);
    if (spec.downBias) list.vector("ffn_down.bias", weights.downBias, embedding);
}

} // namespace steelyard
