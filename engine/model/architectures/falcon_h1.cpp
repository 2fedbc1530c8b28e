// Falcon H1: attention and Mamba 2 side by side in every layer.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readFalconH1(const GgufFile& file) {
    SpecReader reader(file, "falcon-h1");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    parts::mamba2(reader, spec);
    for (auto& layer : spec.layers) {
        layer.feedForwardNorm = NormSpec{"ffn_norm"}; // stored without the suffix
        layer.feedForwardNorm->bare = true;
        layer.parallel = false;
    }
    return reader.finish(std::move(spec));
}

} // namespace steelyard
