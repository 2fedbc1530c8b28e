// GLM 4: norms before and after each part, a fused gate, adjacent pairs turn, or halves where the file has sections of positions.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readGlm4(const GgufFile& file) {
    SpecReader reader(file, "glm4");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    if (reader.has("rope.dimension_sections")) parts::rotateHalves(spec);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
