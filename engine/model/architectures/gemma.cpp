// Gemma: scaled embeddings and GELU.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

#include <cmath>

namespace steelyard {

Result<ModelSpec> readGemma(const GgufFile& file) {
    SpecReader reader(file, "gemma");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    spec.embeddingScale = std::sqrt(static_cast<float>(spec.embedding));
    parts::activation(spec, ops::GateFunction::Gelu);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
