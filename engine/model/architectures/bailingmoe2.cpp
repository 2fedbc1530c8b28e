// Ling 2 (BailingMoE 2): fused queries, keys and values, head norms, experts chosen by sigmoid in groups.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readBailingmoe2(const GgufFile& file) {
    SpecReader reader(file, "bailingmoe2");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    reader.experts(spec, reader.flag("expert_weights_norm", false));
    return reader.finish(std::move(spec));
}

} // namespace steelyard
