// Gemma 4 in its three shapes: dense, with experts beside the dense part, and with embeddings of each layer's own and layers that
// read an earlier layer's cache. Windowed layers have smaller heads; scores are not scaled; full layers may take values from keys.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

#include <algorithm>
#include <cmath>

namespace steelyard {

namespace {

// Windowed layers have heads of their own size, and turn without the factors of the full ones.
void windowedHeads(SpecReader& reader, AttentionSpec& attention) {
    if (attention.window == 0) return;
    attention.headDimK = reader.count("attention.key_length_swa", 1024, attention.headDimK);
    attention.headDimV = reader.count("attention.value_length_swa", 1024, attention.headDimV);
    if (attention.headNorms) attention.headNorms->scope = HeadNormScope::Shared;
    attention.rope->factors = RopeFactors::None;
    attention.rope->dimensions = reader.count("rope.dimension_count_swa", attention.headDimK, attention.headDimK);
}

} // namespace

Result<ModelSpec> readGemma4(const GgufFile& file) {
    SpecReader reader(file, "gemma4");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    const auto layers = static_cast<uint32_t>(spec.layers.size());
    spec.embeddingScale = std::sqrt(static_cast<float>(spec.embedding));
    spec.logitSoftCap = reader.real("final_logit_softcapping", 0.0f, 1e6f, 0.0f);
    parts::activation(spec, ops::GateFunction::Gelu);
    reader.windows(spec, "attention.sliding_window_pattern", 6, 0);
    reader.experts(spec, true);
    const uint32_t shared = reader.count("attention.shared_kv_layers", layers, 0), own = layers - std::min(shared, layers - 1);
    for (uint32_t index = 0; index < layers; ++index) {
        auto& layer = spec.layers[index];
        if (!layer.attention) continue;
        windowedHeads(reader, *layer.attention);
        auto& attention = *layer.attention;
        attention.scale = 1.0f;
        attention.valueNorm = true;
        attention.valueFromKey = !reader.hasLayerTensor(index, "attn_v.weight");
        // The last layers read the cache of the last layer of their kind that has one.
        if (index >= own && own >= 2) attention.cacheOf = own - (attention.window > 0 ? 2 : 1);
        layer.outputScale = reader.hasLayerTensor(index, "layer_output_scale.weight");
        layer.perLayerInput = reader.count("embedding_length_per_layer_input", 1u << 16, 0);
        if (layer.feedForward && layer.feedForward->experts) layer.feedForward->experts->ownNorms = true;
    }
    return reader.finish(std::move(spec));
}

} // namespace steelyard
