// Command R7B: as Command R, with three windowed layers that turn for each full one without positions.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readCohere2(const GgufFile& file) {
    SpecReader reader(file, "cohere2");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent, NormKind::Layer);
    spec.logitScale = reader.real("logit_scale", 1e-6f, 1e6f, 1.0f);
    reader.windows(spec, "attention.sliding_window_pattern", 4, 4096);
    for (auto& layer : spec.layers)
        if (layer.attention && layer.attention->window == 0) layer.attention->rope.reset();
    return reader.finish(std::move(spec));
}

} // namespace steelyard
