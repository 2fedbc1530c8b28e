// MiniMax M2: norms over all query heads at once, partial rotation, experts chosen by sigmoid with a bias.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readMinimaxM2(const GgufFile& file) {
    SpecReader reader(file, "minimax-m2");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    reader.experts(spec, true, ops::RouteFunction::Sigmoid);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
