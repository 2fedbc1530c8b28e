// StableLM: layer norms, partial rotation, and in the larger ones head norms and parts side by side.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readStablelm(const GgufFile& file) {
    SpecReader reader(file, "stablelm");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves, NormKind::Layer);
    parts::headNormKind(spec, HeadNormKind::Layer);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
