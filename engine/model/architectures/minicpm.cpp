// MiniCPM: as Llama, with factors for embeddings, residual sums and logits.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

#include <cmath>

namespace steelyard {

Result<ModelSpec> readMinicpm(const GgufFile& file) {
    SpecReader reader(file, "minicpm");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    const auto layers = static_cast<float>(spec.layers.size()), embedding = static_cast<float>(spec.embedding);
    constexpr float kBaseEmbedding = 256.0f; // of the model whose settings the larger ones take over
    spec.embeddingScale = reader.real("embedding_scale", 1e-6f, 1e6f, 12.0f);
    spec.residualScale = reader.real("residual_scale", 1e-6f, 1e6f, 1.4f / std::sqrt(layers));
    spec.logitScale = 1.0f / reader.real("logit_scale", 1e-6f, 1e6f, embedding / kBaseEmbedding);
    reader.experts(spec, true);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
