// OLMoE: norms over all query heads at once, and experts whose weights are not made to sum to one.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readOlmoe(const GgufFile& file) {
    SpecReader reader(file, "olmoe");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    reader.experts(spec, false);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
