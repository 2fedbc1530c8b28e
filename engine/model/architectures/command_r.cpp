// Command R and R+: layer norms without bias, attention and feed-forward side by side, a factor for the logits.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readCommandR(const GgufFile& file) {
    SpecReader reader(file, "command-r");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent, NormKind::Layer);
    spec.logitScale = reader.real("logit_scale", 1e-6f, 1e6f, 1.0f);
    parts::headNormKind(spec, HeadNormKind::Layer);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
