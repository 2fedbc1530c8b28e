// DeepSeek 2, 3 and their relatives (Mistral 4, GLM 4.7 Flash): latent attention, leading dense layers, experts in groups with a shared one.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readDeepseek2(const GgufFile& file) {
    SpecReader reader(file, "deepseek2");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    parts::latentAttention(reader, spec);
    parts::temperature(reader, spec);
    // The factor that YaRN puts on turned values is on the scores here.
    for (auto& layer : spec.layers)
        if (layer.attention && layer.attention->rope && layer.attention->rope->extrapolation > 0)
            layer.attention->rope->magnitude = reader.real("rope.scaling.attn_factor", 1e-3f, 1e3f, 1.0f);
    reader.experts(spec, reader.flag("expert_weights_norm", false));
    return reader.finish(std::move(spec));
}

Result<ModelSpec> readMistral4(const GgufFile& file) {
    SpecReader reader(file, "mistral4");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    parts::latentAttention(reader, spec);
    parts::temperature(reader, spec);
    reader.experts(spec, reader.flag("expert_weights_norm", false));
    return reader.finish(std::move(spec));
}

} // namespace steelyard
