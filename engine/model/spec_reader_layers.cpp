// The part of SpecReader that builds layers from the tensors that a file has.
#include "engine/model/spec_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace steelyard {

namespace {

constexpr uint32_t kMaxLayers = 512, kMaxHeads = 1024, kMaxHeadDim = 1024, kMaxEmbedding = 1u << 17;
constexpr uint32_t kMaxFeedForward = 1u << 20, kMaxVocabulary = 1u << 22;

std::string layerName(uint32_t layer, std::string_view name) { return "blk." + std::to_string(layer) + "." + std::string(name); }

} // namespace

bool SpecReader::hasLayerTensor(uint32_t layer, std::string_view name) const { return hasTensor(layerName(layer, name)); }

uint32_t SpecReader::tensorRows(uint32_t layer, std::string_view name, uint32_t limit) {
    const GgufTensor* tensor = m_file.findTensor(layerName(layer, name));
    if (!tensor) return 0;
    if (tensor->rows() <= limit) return static_cast<uint32_t>(tensor->rows());
    problem("The tensor " + tensor->name + " has " + std::to_string(tensor->rows()) + " rows, which is too many.");
    return 0;
}

uint32_t SpecReader::tensorColumns(uint32_t layer, std::string_view name, uint32_t limit) {
    const GgufTensor* tensor = m_file.findTensor(layerName(layer, name));
    if (!tensor) return 0;
    if (tensor->columns() <= limit) return static_cast<uint32_t>(tensor->columns());
    problem("The tensor " + tensor->name + " has rows of " + std::to_string(tensor->columns()) + ", which is too many.");
    return 0;
}

std::optional<NormSpec> SpecReader::normOf(uint32_t layer, std::string_view name) const {
    if (!hasLayerTensor(layer, std::string(name) + ".weight")) return std::nullopt;
    return NormSpec{std::string(name), hasLayerTensor(layer, std::string(name) + ".bias"), false};
}

std::optional<HeadNormSpec> SpecReader::headNormsOf(uint32_t layer, const AttentionSpec& attention) const {
    const GgufTensor* tensor = m_file.findTensor(layerName(layer, "attn_q_norm.weight"));
    if (!tensor) return std::nullopt;
    HeadNormSpec spec;
    if (tensor->rows() > 1) spec.scope = HeadNormScope::PerHead;
    else if (tensor->columns() != attention.headDimK) spec.scope = HeadNormScope::Whole;
    return spec;
}

void SpecReader::attentionOf(LayerSpec& layer, uint32_t index, uint32_t heads, uint32_t kvHeads, uint32_t headDimK, uint32_t headDimV) {
    AttentionSpec attention;
    attention.heads = heads;
    attention.kvHeads = kvHeads;
    if (kvHeads == 0 || heads % kvHeads != 0) {
        problem(fullKey("attention.head_count_kv") + " is " + std::to_string(kvHeads) + ", which does not divide the " +
                std::to_string(heads) + " heads.");
        attention.kvHeads = heads;
    }
    attention.headDimK = headDimK;
    attention.headDimV = headDimV;
    attention.scale = 1.0f / std::sqrt(static_cast<float>(headDimK));
    attention.fused = hasLayerTensor(index, "attn_qkv.weight");
    const bool fusedBias = hasLayerTensor(index, "attn_qkv.bias");
    attention.queryBias = fusedBias || hasLayerTensor(index, "attn_q.bias");
    attention.keyBias = fusedBias || hasLayerTensor(index, "attn_k.bias");
    attention.valueBias = fusedBias || hasLayerTensor(index, "attn_v.bias");
    attention.outputBias = hasLayerTensor(index, "attn_output.bias");
    attention.sinks = hasLayerTensor(index, "attn_sinks.weight");
    attention.headNorms = headNormsOf(index, attention);
    layer.attention = attention;
}

void SpecReader::feedForwardOf(LayerSpec& layer, uint32_t index, uint32_t length) {
    const bool dense = hasLayerTensor(index, "ffn_up.weight") || hasLayerTensor(index, "ffn_down.weight");
    const bool fusedExperts = hasLayerTensor(index, "ffn_gate_up_exps.weight");
    const bool experts = fusedExperts || hasLayerTensor(index, "ffn_up_exps.weight");
    if (!dense && !experts) return;
    FeedForwardSpec spec;
    if (dense) {
        spec.length = length;
        if (length == 0) problem(fullKey("feed_forward_length") + " is 0 for layer " + std::to_string(index) + ", which has a feed-forward.");
        spec.fused = !hasLayerTensor(index, "ffn_gate.weight") && tensorRows(index, "ffn_up.weight", 2 * kMaxFeedForward) == 2 * spec.length;
        spec.gated = spec.fused || hasLayerTensor(index, "ffn_gate.weight");
        spec.gateBias = hasLayerTensor(index, "ffn_gate.bias");
        spec.upBias = hasLayerTensor(index, "ffn_up.bias");
        spec.downBias = hasLayerTensor(index, "ffn_down.bias");
    }
    if (experts) {
        ExpertsSpec parts;
        parts.count = count("expert_count", ops::kMaxExperts);
        parts.used = count("expert_used_count", std::min(parts.count, ops::kMaxExpertsUsed));
        parts.length = tensorColumns(index, "ffn_down_exps.weight", kMaxFeedForward);
        parts.fused = fusedExperts;
        parts.gated = fusedExperts || hasLayerTensor(index, "ffn_gate_exps.weight");
        parts.biases = hasLayerTensor(index, "ffn_down_exps.bias");
        parts.downScales = hasLayerTensor(index, "ffn_down_exps.scale");
        parts.choiceBias = hasLayerTensor(index, "exp_probs_b.bias");
        parts.routerBias = hasLayerTensor(index, "ffn_gate_inp.bias");
        parts.sharedLength = tensorRows(index, "ffn_up_shexp.weight", kMaxFeedForward);
        parts.sharedGate = hasLayerTensor(index, "ffn_gate_inp_shexp.weight");
        spec.experts = parts;
    }
    layer.feedForward = spec;
}

bool SpecReader::anyRecurrentLayer(uint32_t layers) const {
    for (uint32_t layer = 0; layer < layers; ++layer)
        if (isRecurrent(layer)) return true;
    return false;
}

bool SpecReader::isRecurrent(uint32_t layer) const {
    return hasLayerTensor(layer, "ssm_in.weight") || hasLayerTensor(layer, "ssm_conv1d.weight") ||
           hasLayerTensor(layer, "ssm_conv1d_q.weight") || hasLayerTensor(layer, "shortconv.conv.weight");
}

// Recurrent layers may name their projections like attention's; those beside attention have its output too.
bool SpecReader::hasAttention(uint32_t layer) const {
    if (hasLayerTensor(layer, "attn_output.weight") || hasLayerTensor(layer, "attn_output_a.weight")) return true;
    if (isRecurrent(layer)) return false;
    for (const char* name : {"attn_q.weight", "attn_k.weight", "attn_v.weight", "attn_qkv.weight"})
        if (hasLayerTensor(layer, name)) return true;
    return false;
}

// Tensors of layers that the file does not count would silently stay unused.
void SpecReader::checkLayerNumbers(uint32_t blocks) {
    constexpr std::string_view kBlock = "blk.";
    for (const auto& tensor : m_file.tensors()) {
        if (tensor.name.compare(0, kBlock.size(), kBlock) != 0) continue;
        uint32_t layer = 0;
        const char* end = tensor.name.data() + tensor.name.size();
        const auto number = std::from_chars(tensor.name.data() + kBlock.size(), end, layer);
        if (number.ec != std::errc() || layer < blocks) continue;
        return problem("The file has the tensor " + tensor.name + ", but " + fullKey("block_count") + " is " + std::to_string(blocks) + ".");
    }
}

// A tensor that is missing must not make another model of the file: what some layers have, all of their kind have.
void SpecReader::checkLayers(const ModelSpec& spec) {
    const auto layers = static_cast<uint32_t>(spec.layers.size());
    const auto everywhere = [&](const char* name, auto&& counts) {
        uint32_t having = 0, all = 0, missing = 0;
        for (uint32_t index = 0; index < layers; ++index) {
            if (!counts(spec.layers[index])) continue;
            ++all;
            if (hasLayerTensor(index, name)) ++having;
            else missing = index;
        }
        if (having > 0 && having < all) problem("The file has no tensor " + layerName(missing, name) + ".");
    };
    const auto each = [](const LayerSpec&) { return true; };
    for (const char* name : {"attn_norm.weight", "ffn_norm.weight", "post_attention_norm.weight", "post_ffw_norm.weight"}) everywhere(name, each);
    const auto dense = [](const LayerSpec& layer) { return layer.feedForward && layer.feedForward->length > 0; };
    for (const char* name : {"ffn_gate.weight", "ffn_up.bias"}) everywhere(name, dense);
    const auto attending = [](const LayerSpec& layer) { return layer.attention.has_value(); };
    for (const char* name : {"attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_output.bias", "attn_q_norm.weight", "attn_sinks.weight"}) everywhere(name, attending);
    if (anyRecurrentLayer(layers)) return;
    for (uint32_t index = 0; index < layers; ++index) {
        if (!spec.layers[index].attention) problem("The file has no tensor " + layerName(index, "attn_output.weight") + ".");
        if (!spec.layers[index].feedForward) problem("The file has no tensor " + layerName(index, "ffn_up.weight") + ".");
    }
}

ModelSpec SpecReader::common(ops::RotaryMode mode, NormKind kind) {
    ModelSpec spec;
    spec.architecture = m_architecture;
    spec.normKind = kind;
    spec.embedding = count("embedding_length", kMaxEmbedding);
    const uint32_t blocks = count("block_count", kMaxLayers);
    checkLayerNumbers(blocks);
    const uint32_t predicting = count("nextn_predict_layers", kMaxLayers, 0);
    if (predicting >= blocks) problem(fullKey("nextn_predict_layers") + " leaves no layers.");
    const uint32_t own = predicting < blocks ? blocks - predicting : 1;
    // The first layer that predicts is read like the others; finish() puts it apart. Further ones are not used.
    m_predicts = predicting > 0 && predicting < blocks && hasLayerTensor(own, "nextn.eh_proj.weight");
    const uint32_t layers = own + (m_predicts ? 1 : 0);
    spec.trainedContext = count("context_length", 1u << 30);
    spec.originalContext = count("rope.scaling.original_context_length", 1u << 30, 0);
    const char* epsilon = kind == NormKind::Layer ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon";
    spec.normEpsilon = real(epsilon, 1e-12f, 0.1f);
    const GgufTensor* table = m_file.findTensor("token_embd.weight");
    if (!table) problem("The file has no tensor token_embd.weight.");
    else if (table->columns() != spec.embedding)
        problem("token_embd.weight has rows of " + std::to_string(table->columns()) + ", expected " + std::to_string(spec.embedding) + ".");
    else if (table->rows() > kMaxVocabulary) problem("The vocabulary of " + std::to_string(table->rows()) + " tokens is too large.");
    spec.vocabulary = table ? static_cast<uint32_t>(std::min<uint64_t>(table->rows(), kMaxVocabulary)) : 1;
    spec.tiedOutput = !hasTensor("output.weight");
    spec.outputBias = hasTensor("output.bias");
    spec.outputNorm->bias = hasTensor("output_norm.bias");
    // Recurrent layers have none of what other layers count.
    const auto none = anyRecurrentLayer(layers) ? std::optional<uint32_t>(0) : std::nullopt;
    const auto heads = countPerLayer("attention.head_count", layers, kMaxHeads, has("attention.head_count") ? none : std::nullopt);
    const auto kvHeads = has("attention.head_count_kv") ? countPerLayer("attention.head_count_kv", layers, kMaxHeads, none) : heads;
    const auto lengths = countPerLayer("feed_forward_length", layers, kMaxFeedForward, none);
    const uint32_t mostHeads = std::max(1u, *std::max_element(heads.begin(), heads.end()));
    if (!has("attention.key_length") && spec.embedding % mostHeads != 0)
        problem(fullKey("embedding_length") + " is " + std::to_string(spec.embedding) + ", which is no multiple of the " + std::to_string(mostHeads) + " of " + fullKey("attention.head_count") + ".");
    const uint32_t headDimK = count("attention.key_length", kMaxHeadDim, std::max(1u, spec.embedding / mostHeads));
    const uint32_t headDimV = count("attention.value_length", kMaxHeadDim, headDimK);
    const RopeSpec shared = rope(mode, headDimK);
    for (uint32_t index = 0; index < layers; ++index) {
        LayerSpec layer;
        layer.inputNorm = normOf(index, "attn_norm");
        layer.feedForwardNorm = normOf(index, "ffn_norm");
        const auto post = normOf(index, "post_attention_norm");
        // After the mixer, or, where no other norm stands before the feed-forward, that one.
        if (post && layer.inputNorm && !layer.feedForwardNorm) layer.feedForwardNorm = post;
        else layer.mixerPostNorm = post;
        layer.feedForwardPostNorm = normOf(index, "post_ffw_norm");
        layer.parallel = layer.inputNorm && !layer.feedForwardNorm;
        if (heads[index] > 0 && hasAttention(index)) {
            attentionOf(layer, index, heads[index], kvHeads[index], headDimK, headDimV);
            layer.attention->rope = shared;
        }
        feedForwardOf(layer, index, lengths[index]);
        spec.layers.push_back(std::move(layer));
    }
    checkLayers(spec);
    return spec;
}

void SpecReader::experts(ModelSpec& spec, bool normalise, ops::RouteFunction function) {
    constexpr uint32_t kSoftmax = 1, kSigmoid = 2, kSoftmaxOfChosen = 3, kSqrtSoftplus = 4; // the values of expert_gating_func
    if (has("expert_gating_func")) {
        switch (count("expert_gating_func", kSqrtSoftplus)) {
        case kSoftmax: function = ops::RouteFunction::Softmax; break;
        case kSigmoid: function = ops::RouteFunction::Sigmoid; break;
        case kSoftmaxOfChosen: function = ops::RouteFunction::SoftmaxOfChosen; break;
        default: function = ops::RouteFunction::SqrtSoftplus;
        }
    }
    const bool any = std::any_of(spec.layers.begin(), spec.layers.end(), [](const auto& layer) { return layer.feedForward && layer.feedForward->experts; });
    const uint32_t stated = count("expert_count", ops::kMaxExperts, 0);
    if (!any && stated > 0) problem(fullKey("expert_count") + " is " + std::to_string(stated) + ", and the file has no tensors of experts.");
    const float scale = real("expert_weights_scale", 0.0f, 1e6f, 1.0f);
    const uint32_t groups = count("expert_group_count", ops::kMaxExperts, 1);
    const uint32_t groupsUsed = count("expert_group_used_count", groups, groups);
    for (auto& layer : spec.layers) {
        if (!layer.feedForward || !layer.feedForward->experts) continue;
        auto& experts = *layer.feedForward->experts;
        experts.function = function;
        experts.normalise = normalise;
        experts.scale = scale > 0 ? scale : 1.0f;
        experts.groups = groups;
        experts.groupsUsed = groupsUsed;
        if (experts.count % groups != 0) problem(fullKey("expert_group_count") + " does not divide the " + std::to_string(experts.count) + " experts.");
    }
}

void SpecReader::windows(ModelSpec& spec, std::string_view patternKey, uint32_t defaultPeriod, uint32_t defaultWindow) {
    const auto layers = static_cast<uint32_t>(spec.layers.size());
    const uint32_t window = count("attention.sliding_window", 1u << 30, defaultWindow);
    if (window == 0) return;
    const auto windowed = windowPattern(patternKey, layers, defaultPeriod);
    for (uint32_t index = 0; index < layers; ++index) {
        auto& attention = spec.layers[index].attention;
        if (!attention || !windowed[index]) continue;
        attention->window = window;
        if (attention->rope) attention->rope->base = real("rope.freq_base_swa", 1e-3f, 1e12f, attention->rope->base);
    }
}

} // namespace steelyard
