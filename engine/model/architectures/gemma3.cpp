// Gemma 3: scaled embeddings, norms before and after each part, norms of query and key heads, GELU, and five layers with a
// sliding window for each full one. Windowed layers turn with their own base and are not scaled for long contexts.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

#include <cmath>

namespace steelyard {

Result<ModelSpec> readGemma3(const GgufFile& file) {
    SpecReader reader(file, "gemma3");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    spec.embeddingScale = std::sqrt(static_cast<float>(spec.embedding));
    spec.logitSoftCap = reader.real("final_logit_softcapping", 0.0f, 1e6f, 0.0f);
    parts::activation(spec, ops::GateFunction::Gelu);
    RopeSpec plain = parts::unscaled(reader, ops::RotaryMode::Halves, spec);
    plain.base = reader.real("rope.freq_base_swa", 1e-3f, 1e12f, 10000.0f);
    reader.windows(spec, "attention.sliding_window_pattern", 6, 0);
    constexpr size_t kLayersOf27B = 62; // whose scores are scaled by the embedding per head instead of the head size
    for (auto& layer : spec.layers) {
        auto& attention = *layer.attention;
        attention.softCap = reader.real("attn_logit_softcapping", 0.0f, 1e6f, 0.0f);
        if (attention.window > 0) attention.rope = plain;
        if (spec.layers.size() == kLayersOf27B)
            attention.scale = 1.0f / std::sqrt(static_cast<float>(spec.embedding) / static_cast<float>(attention.heads));
    }
    return reader.finish(std::move(spec));
}

} // namespace steelyard
