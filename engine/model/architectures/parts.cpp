#include "engine/model/architectures/parts.h"

#include <cmath>

namespace steelyard::parts {

namespace {

constexpr uint32_t kMaxInner = 1u << 18, kMaxState = 1024, kMaxHeads = 4096;

} // namespace

void activation(ModelSpec& spec, ops::GateFunction function) {
    for (auto& layer : spec.layers)
        if (layer.feedForward) layer.feedForward->activation.function = function;
}

void headNormKind(ModelSpec& spec, HeadNormKind kind) {
    for (auto& layer : spec.layers)
        if (layer.attention && layer.attention->headNorms) layer.attention->headNorms->kind = kind;
}

void rotateHalves(ModelSpec& spec) {
    for (auto& layer : spec.layers)
        if (layer.attention && layer.attention->rope) layer.attention->rope->mode = ops::RotaryMode::Halves;
}

RopeSpec unscaled(SpecReader& reader, ops::RotaryMode mode, const ModelSpec& spec) {
    RopeSpec rope;
    rope.mode = mode;
    rope.base = reader.real("rope.freq_base", 1e-3f, 1e12f, 10000.0f);
    if (!spec.layers.empty() && spec.layers[0].attention && spec.layers[0].attention->rope)
        rope.dimensions = spec.layers[0].attention->rope->dimensions;
    return rope;
}

void temperature(SpecReader& reader, ModelSpec& spec) {
    const float scale = reader.real("attention.temperature_scale", 0.0f, 1e3f, 0.0f);
    if (scale <= 0) return;
    const uint32_t original = spec.originalContext ? spec.originalContext : spec.trainedContext;
    const uint32_t length = reader.count("attention.temperature_length", 1u << 30, original);
    for (auto& layer : spec.layers) {
        if (!layer.attention) continue;
        layer.attention->temperatureScale = scale;
        layer.attention->temperatureLength = length;
    }
}

void graniteScales(SpecReader& reader, ModelSpec& spec) {
    spec.embeddingScale = reader.real("embedding_scale", 0.0f, 1e6f, 1.0f);
    spec.residualScale = reader.real("residual_scale", 0.0f, 1e6f, 1.0f);
    if (spec.embeddingScale == 0) spec.embeddingScale = 1.0f;
    if (spec.residualScale == 0) spec.residualScale = 1.0f;
    spec.logitScale = 1.0f / reader.real("logit_scale", 1e-6f, 1e6f, 1.0f);
    const float scale = reader.real("attention.scale", 0.0f, 1e3f, 0.0f);
    const bool positions = reader.flag("rope.scaling.finetuned", true); // the key's other meaning, in this family
    for (auto& layer : spec.layers) {
        if (!layer.attention) continue;
        if (scale > 0) layer.attention->scale = scale;
        if (!positions) layer.attention->rope.reset();
    }
}

void latentAttention(SpecReader& reader, ModelSpec& spec) {
    LatentSpec latent;
    latent.queryRank = reader.count("attention.q_lora_rank", 1u << 16, 0);
    latent.rank = reader.count("attention.kv_lora_rank", 1u << 15);
    latent.rotatedDim = reader.count("rope.dimension_count", 1024);
    const uint32_t headDim = reader.count("attention.key_length_mla", 4096);
    latent.valueDim = reader.count("attention.value_length_mla", 4096);
    if (headDim <= latent.rotatedDim)
        return reader.problem("attention.key_length_mla is " + std::to_string(headDim) + "; it must be more than the " +
                              std::to_string(latent.rotatedDim) + " values that turn.");
    latent.plainDim = headDim - latent.rotatedDim;
    // With YaRN, scores are scaled by the square of its factor. Source: DeepSeek-AI, "DeepSeek-V2", section 3.1.4.
    const float multiplier = reader.real("rope.scaling.yarn_log_multiplier", 0.0f, 1e3f, 0.0f);
    const float factor = reader.real("rope.scaling.factor", 1e-3f, 1e6f, 1.0f);
    const float growth = reader.real("rope.scaling.attn_factor", 1e-3f, 1e3f, 1.0f) * (1.0f + multiplier * std::log(factor));
    for (uint32_t index = 0; index < spec.layers.size(); ++index) {
        auto& attention = spec.layers[index].attention;
        if (!attention) continue;
        if (!reader.hasLayerTensor(index, "attn_k_b.weight"))
            reader.problem("The file keeps keys and values of its latent attention in one tensor, an old form; a newer conversion of the model is needed.");
        attention->latent = latent;
        attention->kvHeads = 1;
        attention->headDimK = latent.rank + latent.rotatedDim;
        attention->headDimV = latent.rank;
        attention->scale = growth * growth / std::sqrt(static_cast<float>(headDim));
        if (attention->rope) attention->rope->dimensions = latent.rotatedDim;
    }
}

void mamba2(SpecReader& reader, ModelSpec& spec) {
    const uint32_t inner = reader.count("ssm.inner_size", kMaxInner);
    Mamba2Spec part;
    part.heads = reader.count("ssm.time_step_rank", kMaxHeads);
    part.stateDim = reader.count("ssm.state_size", kMaxState);
    part.groups = reader.count("ssm.group_count", part.heads, 1);
    part.convWidth = reader.count("ssm.conv_kernel", kMaxConvWidth);
    part.headDim = std::max(1u, inner / part.heads);
    if (inner % part.heads != 0 || part.heads % part.groups != 0 || inner % part.groups != 0)
        reader.problem("ssm.inner_size is " + std::to_string(inner) + ", which does not divide evenly among ssm.time_step_rank, " +
                       std::to_string(part.heads) + ", and ssm.group_count, " + std::to_string(part.groups) + ".");
    for (uint32_t index = 0; index < spec.layers.size(); ++index) {
        if (!reader.hasLayerTensor(index, "ssm_in.weight")) continue;
        part.norm = reader.hasLayerTensor(index, "ssm_norm.weight");
        part.convBias = reader.hasLayerTensor(index, "ssm_conv1d.bias");
        spec.layers[index].recurrent = part;
    }
}

DeltaSpec deltaRule(SpecReader& reader, DeltaSpec::Form form) {
    DeltaSpec part;
    part.form = form;
    const uint32_t inner = reader.count("ssm.inner_size", kMaxInner);
    part.keyHeads = reader.count("ssm.group_count", kMaxHeads);
    part.valueHeads = reader.count("ssm.time_step_rank", kMaxHeads);
    part.headDimK = reader.count("ssm.state_size", 256);
    part.convWidth = reader.count("ssm.conv_kernel", kMaxConvWidth);
    part.headDimV = std::max(1u, inner / part.valueHeads);
    if (inner % part.valueHeads != 0 || part.valueHeads % part.keyHeads != 0)
        reader.problem("ssm.inner_size is " + std::to_string(inner) + ", which does not divide evenly among ssm.time_step_rank, " +
                       std::to_string(part.valueHeads) + ", and ssm.group_count, " + std::to_string(part.keyHeads) + ".");
    return part;
}

} // namespace steelyard::parts
