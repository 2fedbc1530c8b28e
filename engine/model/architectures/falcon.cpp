// Falcon: attention and a plain feed-forward side by side; the larger ones have a norm for each.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readFalcon(const GgufFile& file) {
    SpecReader reader(file, "falcon");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves, NormKind::Layer);
    parts::activation(spec, ops::GateFunction::Gelu);
    for (uint32_t index = 0; index < spec.layers.size(); ++index)
        if (reader.hasLayerTensor(index, "attn_norm_2.weight"))
            spec.layers[index].mixerNorm = NormSpec{"attn_norm_2", reader.hasLayerTensor(index, "attn_norm_2.bias"), false};
    return reader.finish(std::move(spec));
}

} // namespace steelyard
