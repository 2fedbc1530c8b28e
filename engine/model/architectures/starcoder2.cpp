// StarCoder 2: layer norms, a plain feed-forward with GELU, biases.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readStarcoder2(const GgufFile& file) {
    SpecReader reader(file, "starcoder2");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves, NormKind::Layer);
    parts::activation(spec, ops::GateFunction::Gelu);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
