#include "engine/model/weight_slots.h"

namespace steelyard {

namespace {

// One matrix in_proj gives the output's gate z, then x, B and C, then a step size per head.
void slots(SlotList& list, uint32_t embedding, const Mamba2Spec& spec, RecurrentWeights& weights) {
    const uint32_t inner = spec.inner(), channels = spec.channels(), all = inner + channels + spec.heads;
    list.matrix("ssm_in", weights.gate, inner, embedding, {0, inner, all});
    list.matrix("ssm_in", weights.input, channels, embedding, {inner, channels, all});
    list.matrix("ssm_in", weights.decay, spec.heads, embedding, {inner + channels, spec.heads, all});
    list.vector("ssm_conv1d.weight", weights.conv, channels * spec.convWidth);
    if (spec.convBias) list.vector("ssm_conv1d.bias", weights.convBias, channels);
    list.vector("ssm_dt.bias", weights.decayBias, spec.heads);
    list.vector("ssm_a", weights.a, spec.heads);
    list.vector("ssm_d", weights.d, spec.heads);
    if (spec.norm) list.vector("ssm_norm.weight", weights.norm, inner);
    list.matrix("ssm_out", weights.output, embedding, inner);
}

// in_proj gives B (the input's gate), C (the output's gate) and x.
void slots(SlotList& list, uint32_t embedding, const ShortConvSpec& spec, RecurrentWeights& weights) {
    const uint32_t channels = spec.channels, all = 3 * channels;
    list.matrix("shortconv.in_proj", weights.inputGate, channels, embedding, {0, channels, all});
    list.matrix("shortconv.in_proj", weights.gate, channels, embedding, {channels, channels, all});
    list.matrix("shortconv.in_proj", weights.inputValue, channels, embedding, {2 * channels, channels, all});
    list.vector("shortconv.conv.weight", weights.conv, channels * spec.width);
    list.matrix("shortconv.out_proj", weights.output, embedding, channels);
}

void kimiSlots(SlotList& list, uint32_t embedding, const DeltaSpec& spec, RecurrentWeights& weights) {
    const uint32_t keys = spec.keys(), values = spec.values();
    list.matrix("attn_q", weights.query, keys, embedding);
    list.matrix("attn_k", weights.key, keys, embedding);
    list.matrix("attn_v", weights.value, values, embedding);
    list.vector("ssm_conv1d_q.weight", weights.convQuery, keys * spec.convWidth);
    list.vector("ssm_conv1d_k.weight", weights.convKey, keys * spec.convWidth);
    list.vector("ssm_conv1d_v.weight", weights.convValue, values * spec.convWidth);
    list.matrix("ssm_f_a", weights.decay, spec.headDimK, embedding);
    list.matrix("ssm_f_b", weights.decayUp, keys, spec.headDimK);
    list.matrix("ssm_g_a", weights.gate, spec.headDimK, embedding);
    list.matrix("ssm_g_b", weights.gateUp, values, spec.headDimK);
    list.matrix("ssm_beta", weights.beta, spec.valueHeads, embedding);
    list.vector("ssm_dt.bias", weights.decayBias, keys);
    list.vector("ssm_a", weights.a, keys, {}, spec.headDimK); // one for all channels of a head
    list.vector("ssm_norm.weight", weights.norm, spec.headDimV);
    list.matrix("attn_output", weights.output, embedding, values);
}

void slots(SlotList& list, uint32_t embedding, const DeltaSpec& spec, RecurrentWeights& weights) {
    if (spec.form == DeltaSpec::Form::Kimi) return kimiSlots(list, embedding, spec, weights);
    const uint32_t keys = spec.keys(), values = spec.values(), all = 2 * keys + values, width = spec.convWidth;
    if (spec.form == DeltaSpec::Form::QwenNextByHead) {
        // Per key head: query, key, the values of its value heads, and as many values of the gate.
        const uint32_t key = spec.headDimK, value = values / spec.keyHeads, head = 2 * (key + value);
        list.matrix("ssm_in", weights.query, keys, embedding, {0, key, head});
        list.matrix("ssm_in", weights.key, keys, embedding, {key, key, head});
        list.matrix("ssm_in", weights.value, values, embedding, {2 * key, value, head});
        list.matrix("ssm_in", weights.gate, values, embedding, {2 * key + value, value, head});
    } else {
        list.matrix("attn_qkv", weights.query, keys, embedding, {0, keys, all});
        list.matrix("attn_qkv", weights.key, keys, embedding, {keys, keys, all});
        list.matrix("attn_qkv", weights.value, values, embedding, {2 * keys, values, all});
        list.matrix("attn_gate", weights.gate, values, embedding);
    }
    list.vector("ssm_conv1d.weight", weights.convQuery, keys * width, {0, keys * width, all * width});
    list.vector("ssm_conv1d.weight", weights.convKey, keys * width, {keys * width, keys * width, all * width});
    list.vector("ssm_conv1d.weight", weights.convValue, values * width, {2 * keys * width, values * width, all * width});
    if (spec.form != DeltaSpec::Form::Qwen35) {
        // Per key head: the betas of its value heads, then their alphas.
        const uint32_t group = spec.valueHeads / spec.keyHeads;
        list.matrix("ssm_ba", weights.beta, spec.valueHeads, embedding, {0, group, 2 * group});
        list.matrix("ssm_ba", weights.decay, spec.valueHeads, embedding, {group, group, 2 * group});
    } else {
        list.matrix("ssm_alpha", weights.decay, spec.valueHeads, embedding);
        list.matrix("ssm_beta", weights.beta, spec.valueHeads, embedding);
    }
    list.vector("ssm_dt.bias", weights.decayBias, spec.valueHeads);
    list.vector("ssm_a", weights.a, spec.valueHeads);
    list.vector("ssm_norm.weight", weights.norm, spec.headDimV);
    list.matrix("ssm_out", weights.output, embedding, values);
}

} // namespace

void recurrentSlots(SlotList& list, uint32_t embedding, const RecurrentSpec& spec, RecurrentWeights& weights) {
    std::visit([&](const auto& part) { slots(list, embedding, part, weights); }, spec);
}

} // namespace steelyard
