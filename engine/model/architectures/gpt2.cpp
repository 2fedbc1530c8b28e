// GPT-2: learned positions, layer norms, a plain feed-forward, biases everywhere.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readGpt2(const GgufFile& file) {
    SpecReader reader(file, "gpt2");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves, NormKind::Layer);
    spec.positionTable = true;
    parts::activation(spec, ops::GateFunction::Gelu);
    for (auto& layer : spec.layers)
        if (layer.attention) layer.attention->rope.reset();
    return reader.finish(std::move(spec));
}

} // namespace steelyard
