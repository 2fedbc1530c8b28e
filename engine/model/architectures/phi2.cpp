// Phi 2: attention and a plain feed-forward side by side after one layer norm, biases, partial rotation.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readPhi2(const GgufFile& file) {
    SpecReader reader(file, "phi2");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves, NormKind::Layer);
    parts::activation(spec, ops::GateFunction::Gelu);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
