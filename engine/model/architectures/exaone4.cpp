// EXAONE 4: norms after each part instead of before, head norms; the large one has windows, and full layers without positions.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readExaone4(const GgufFile& file) {
    SpecReader reader(file, "exaone4");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    constexpr size_t kLayersOf32B = 64;
    if (spec.layers.size() != kLayersOf32B) return reader.finish(std::move(spec));
    reader.windows(spec, "attention.sliding_window_pattern", 4, 4096);
    for (auto& layer : spec.layers)
        if (layer.attention && layer.attention->window == 0) layer.attention->rope.reset();
    return reader.finish(std::move(spec));
}

} // namespace steelyard
