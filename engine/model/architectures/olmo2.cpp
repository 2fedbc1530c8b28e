// OLMo 2 and 3: norms after each part instead of before, and over all query heads at once; OLMo 3 has windows, whose layers turn
// without the scaling for long contexts.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readOlmo2(const GgufFile& file) {
    SpecReader reader(file, "olmo2");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    const RopeSpec plain = parts::unscaled(reader, ops::RotaryMode::Halves, spec);
    reader.windows(spec, "attention.sliding_window_pattern", 4, 0);
    for (auto& layer : spec.layers)
        if (layer.attention && layer.attention->window > 0) layer.attention->rope = plain;
    return reader.finish(std::move(spec));
}

} // namespace steelyard
