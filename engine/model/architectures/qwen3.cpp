// Qwen 3 dense: as Qwen 2 without the biases, with RMS norms of each query and key head.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readQwen3(const GgufFile& file) {
    SpecReader reader(file, "qwen3");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    for (auto& layer : spec.layers) layer.attention.headNorms = true;
    return reader.finish(std::move(spec));
}

} // namespace steelyard
