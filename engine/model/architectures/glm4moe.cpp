// GLM 4.5 and 4.6: biases on queries, keys and values, partial rotation of halves, experts chosen by sigmoid with a bias.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readGlm4Moe(const GgufFile& file) {
    SpecReader reader(file, "glm4moe");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    reader.experts(spec, reader.flag("expert_weights_norm", false), ops::RouteFunction::Sigmoid);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
