// Qwen 2 MoE: as Qwen 2, with experts whose weights are not made to sum to one, and a shared expert weighed by a sigmoid.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readQwen2Moe(const GgufFile& file) {
    SpecReader reader(file, "qwen2moe");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    reader.experts(spec, false);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
