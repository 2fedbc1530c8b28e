// Hunyuan dense: as Llama with rotation of halves and norms of query and key heads after it.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readHunyuanDense(const GgufFile& file) {
    SpecReader reader(file, "hunyuan-dense");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    for (auto& layer : spec.layers)
        if (layer.attention && layer.attention->headNorms) layer.attention->headNorms->afterRotation = true;
    return reader.finish(std::move(spec));
}

} // namespace steelyard
