// Gemma 3: scaled embeddings, norms before and after each part, norms of query and key heads, GELU, and five layers with a
// sliding window for each full one. Windowed layers turn with their own base and are not scaled for long contexts.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

#include <cmath>

namespace steelyard {

Result<ModelSpec> readGemma3(const GgufFile& file) {
    SpecReader reader(file, "gemma3");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    const auto layers = static_cast<uint32_t>(spec.layers.size());
    spec.embeddingScale = std::sqrt(static_cast<float>(spec.embedding));
    spec.logitSoftCap = reader.real("final_logit_softcapping", 0.0f, 1e6f, 0.0f);
    const uint32_t window = reader.count("attention.sliding_window", 1u << 30, 0);
    const auto windowed = reader.windowPattern("attention.sliding_window_pattern", layers, 6);
    const float windowBase = reader.real("rope.freq_base_swa", 1e-3f, 1e12f, 10000.0f);
    const float softCap = reader.real("attn_logit_softcapping", 0.0f, 1e6f, 0.0f);
    constexpr uint32_t kLayersOf27B = 62; // whose scores are scaled by the embedding per head instead of the head size
    for (uint32_t index = 0; index < layers; ++index) {
        auto& layer = spec.layers[index];
        auto& attention = layer.attention;
        attention.headNorms = true;
        attention.softCap = softCap;
        if (layers == kLayersOf27B)
            attention.scale = 1.0f / std::sqrt(static_cast<float>(spec.embedding) / static_cast<float>(attention.heads));
        if (windowed[index] && window > 0) {
            attention.window = window;
            RopeSpec plain;
            plain.mode = attention.rope.mode;
            plain.dimensions = attention.rope.dimensions;
            plain.base = windowBase;
            attention.rope = plain;
        }
        layer.feedForward.function = ops::GateFunction::Gelu;
        layer.postNorms = true;
    }
    return reader.finish(std::move(spec));
}

} // namespace steelyard
