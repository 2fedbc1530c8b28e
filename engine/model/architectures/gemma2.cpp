// Gemma 2: norms before and after each part, soft caps on scores and logits, every other layer with a window.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

#include <cmath>

namespace steelyard {

Result<ModelSpec> readGemma2(const GgufFile& file) {
    SpecReader reader(file, "gemma2");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    spec.embeddingScale = std::sqrt(static_cast<float>(spec.embedding));
    spec.logitSoftCap = reader.real("final_logit_softcapping", 0.0f, 1e6f, 0.0f);
    parts::activation(spec, ops::GateFunction::Gelu);
    reader.windows(spec, "attention.sliding_window_pattern", 2, 4096);
    constexpr size_t kLayersOf27B = 46; // whose scores are scaled by the embedding per head instead of the head size
    for (auto& layer : spec.layers) {
        auto& attention = *layer.attention;
        attention.softCap = reader.real("attn_logit_softcapping", 0.0f, 1e6f, 0.0f);
        if (spec.layers.size() == kLayersOf27B)
            attention.scale = 1.0f / std::sqrt(static_cast<float>(spec.embedding) / static_cast<float>(attention.heads));
    }
    return reader.finish(std::move(spec));
}

} // namespace steelyard
