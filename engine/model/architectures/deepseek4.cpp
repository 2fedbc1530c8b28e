// DeepSeek 4: hyper-connections, shared-key attention with compressed keys, experts in every layer.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

namespace {

constexpr uint32_t kMaxHeads = 1024, kMaxRank = 1u << 16, kMaxRatio = 1024;

HyperSpec hyperConnections(SpecReader& reader) {
    HyperSpec hyper;
    hyper.streams = reader.count("hyper_connection.count", kMaxStreams);
    hyper.iterations = reader.count("hyper_connection.sinkhorn_iterations", 1000);
    hyper.epsilon = reader.real("hyper_connection.epsilon", 0.0f, 1.0f);
    return hyper;
}

// Which keys a layer has besides those of its window, by the ratio that the file names for it: few tokens to a key, then the keys
// overlap and a token chooses among them, or many, then it attends all.
std::optional<CompressionSpec> compressionOf(SpecReader& reader, uint32_t layer, uint32_t ratio, uint32_t rotated) {
    if (ratio == 0) return std::nullopt;
    CompressionSpec compression;
    compression.ratio = ratio;
    if (!reader.hasLayerTensor(layer, "indexer.attn_q_b.weight")) return compression;
    compression.overlap = true;
    CompressionSpec::Index index;
    index.heads = reader.count("attention.indexer.head_count", kMaxHeads);
    index.dim = reader.count("attention.indexer.key_length", kMaxHeads);
    index.count = reader.count("attention.indexer.top_k", 1u << 24);
    if (rotated > index.dim)
        reader.problem("deepseek4.attention.indexer.key_length is " + std::to_string(index.dim) + "; it must be at least the " + std::to_string(rotated) + " values that turn.");
    compression.index = index;
    return compression;
}

// The rope of layers with compressed keys has a base of its own, and alone stretches; its values keep their size.
void ropes(SpecReader& reader, ModelSpec& spec) {
    const RopeSpec plain = parts::unscaled(reader, ops::RotaryMode::Adjacent, spec);
    const float base = reader.real("attention.compress_rope_freq_base", 1e-3f, 1e12f);
    for (auto& layer : spec.layers) {
        auto& attention = *layer.attention;
        if (!attention.sharedKey->compression) {
            attention.rope = plain;
            continue;
        }
        attention.rope = reader.rope(ops::RotaryMode::Adjacent, attention.headDimK, base);
        attention.rope->magnitude = 1.0f;
    }
}

} // namespace

Result<ModelSpec> readDeepseek4(const GgufFile& file) {
    SpecReader reader(file, "deepseek4");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    spec.hyper = hyperConnections(reader);
    reader.experts(spec, reader.flag("expert_weights_norm", false));
    const auto layers = static_cast<uint32_t>(spec.layers.size());
    const uint32_t window = reader.count("attention.sliding_window", 1u << 30);
    const uint32_t groups = reader.count("attention.output_group_count", kMaxHeads), rank = reader.count("attention.output_lora_rank", kMaxRank);
    const uint32_t queryRank = reader.count("attention.q_lora_rank", kMaxRank);
    const auto ratios = reader.countPerLayer("attention.compress_ratios", layers, kMaxRatio, 0);
    for (uint32_t index = 0; index < layers; ++index) {
        auto& layer = spec.layers[index];
        if (!layer.attention || !layer.feedForward || !layer.feedForward->experts || !layer.inputNorm || !layer.feedForwardNorm) {
            reader.problem("Layer " + std::to_string(index) + " lacks its attention, its experts or a norm.");
            return reader.finish(std::move(spec));
        }
        auto& attention = *layer.attention;
        if (attention.kvHeads != 1 || attention.headDimK != attention.headDimV || attention.heads % groups != 0)
            reader.problem("deepseek4 has one key head whose values are its keys, and heads in equal groups; this file's numbers do not fit.");
        attention.window = window;
        attention.sharedKey = SharedKeySpec{queryRank, groups, rank, compressionOf(reader, index, ratios[index], attention.rope->dimensions)};
        layer.feedForward->activation.limit = reader.realOfLayer("swiglu_clamp_exp", index, 0.0f, 1e6f, 0.0f);
    }
    if (reader.count("hash_layer_count", layers, 0) > 0)
        reader.problem("The first layers of this model choose experts by token (deepseek4.hash_layer_count), which is not supported.");
    ropes(reader, spec);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
