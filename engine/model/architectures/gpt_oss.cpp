// gpt-oss: attention sinks, every other layer with a window, biases, and experts with a clamped activation.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readGptOss(const GgufFile& file) {
    SpecReader reader(file, "gpt-oss");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    reader.windows(spec, "attention.sliding_window_pattern", 2, 0);
    reader.experts(spec, false, ops::RouteFunction::SoftmaxOfChosen);
    for (auto& layer : spec.layers)
        if (layer.feedForward) layer.feedForward->activation = {ops::GateFunction::Silu, 1.702f, 7.0f, 1.0f};
    return reader.finish(std::move(spec));
}

} // namespace steelyard
