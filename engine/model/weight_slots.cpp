#include "engine/model/weights.h"

#include "engine/core/checked_math.h"

namespace steelyard {

namespace {

// Collects the slots of one layer by name.
struct LayerSlots {
    std::vector<WeightSlot>& slots;
    std::string prefix;

    void matrix(const char* name, Matrix& matrix, uint32_t rows, uint32_t columns) {
        slots.push_back({prefix + name + ".weight", rows, columns, WeightUse::Matrix, &matrix, nullptr});
    }
    void norm(const char* name, Vector& vector, uint32_t length) {
        slots.push_back({prefix + name + ".weight", 1, length, WeightUse::Vector, nullptr, &vector});
    }
    void bias(const char* name, Vector& vector, uint32_t length) {
        slots.push_back({prefix + name + ".bias", 1, length, WeightUse::Vector, nullptr, &vector});
    }
};

void attentionSlots(LayerSlots& layer, const ModelSpec& spec, const LayerSpec& shape, LayerWeights& weights) {
    const auto& attention = shape.attention;
    const uint32_t q = attention.heads * attention.headDimK, k = attention.kvHeads * attention.headDimK;
    const uint32_t v = attention.kvHeads * attention.headDimV, out = attention.heads * attention.headDimV;
    layer.norm("attn_norm", weights.attentionNorm, spec.embedding);
    layer.matrix("attn_q", weights.query, q, spec.embedding);
    layer.matrix("attn_k", weights.key, k, spec.embedding);
    layer.matrix("attn_v", weights.value, v, spec.embedding);
    layer.matrix("attn_output", weights.output, spec.embedding, out);
    if (attention.bias) {
        layer.bias("attn_q", weights.queryBias, q);
        layer.bias("attn_k", weights.keyBias, k);
        layer.bias("attn_v", weights.valueBias, v);
    }
    if (attention.outputBias) layer.bias("attn_output", weights.outputBias, spec.embedding);
    if (attention.headNorms) {
        layer.norm("attn_q_norm", weights.queryNorm, attention.headDimK);
        layer.norm("attn_k_norm", weights.keyNorm, attention.headDimK);
    }
    if (shape.postNorms) layer.norm("post_attention_norm", weights.attentionPostNorm, spec.embedding);
}

void feedForwardSlots(LayerSlots& layer, const ModelSpec& spec, const LayerSpec& shape, LayerWeights& weights) {
    const uint32_t length = shape.feedForward.length;
    layer.norm("ffn_norm", weights.feedForwardNorm, spec.embedding);
    layer.matrix("ffn_gate", weights.gate, length, spec.embedding);
    layer.matrix("ffn_up", weights.up, length, spec.embedding);
    layer.matrix("ffn_down", weights.down, spec.embedding, length);
    if (shape.feedForward.bias) {
        layer.bias("ffn_gate", weights.gateBias, length);
        layer.bias("ffn_up", weights.upBias, length);
        layer.bias("ffn_down", weights.downBias, spec.embedding);
    }
    if (shape.postNorms) layer.norm("post_ffw_norm", weights.feedForwardPostNorm, spec.embedding);
}

} // namespace

std::vector<WeightSlot> weightSlots(const ModelSpec& spec, ModelWeights& weights) {
    std::vector<WeightSlot> slots;
    weights.layers.resize(spec.layers.size());
    slots.push_back({"token_embd.weight", spec.vocabulary, spec.embedding, WeightUse::Table, &weights.table, nullptr});
    slots.push_back({spec.tiedOutput ? "token_embd.weight" : "output.weight", spec.vocabulary, spec.embedding,
                     WeightUse::Matrix, &weights.output, nullptr});
    slots.push_back({"output_norm.weight", 1, spec.embedding, WeightUse::Vector, nullptr, &weights.outputNorm});
    for (size_t index = 0; index < spec.layers.size(); ++index) {
        LayerSlots layer{slots, "blk." + std::to_string(index) + "."};
        attentionSlots(layer, spec, spec.layers[index], weights.layers[index]);
        feedForwardSlots(layer, spec, spec.layers[index], weights.layers[index]);
    }
    if (!spec.layers.empty() && spec.layers[0].attention.rope.usesFactors)
        slots.push_back({"rope_freqs.weight", 1, spec.layers[0].attention.rope.dimensions / 2, WeightUse::Vector, nullptr,
                         &weights.ropeFactors});
    return slots;
}

} // namespace steelyard
