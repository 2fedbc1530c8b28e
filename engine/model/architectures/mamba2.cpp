// Mamba 2: state spaces only.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readMamba2(const GgufFile& file) {
    SpecReader reader(file, "mamba2");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    parts::mamba2(reader, spec);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
