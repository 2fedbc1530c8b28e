// Nemotron H: layers of one part each, Mamba 2, attention without positions, or a feed-forward with squared ReLU.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

namespace {

Result<ModelSpec> readAs(const GgufFile& file, const char* architecture) {
    SpecReader reader(file, architecture);
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    parts::mamba2(reader, spec);
    parts::activation(spec, ops::GateFunction::ReluSquared);
    reader.experts(spec, reader.flag("expert_weights_norm", false));
    for (auto& layer : spec.layers)
        if (layer.attention) layer.attention->rope.reset();
    return reader.finish(std::move(spec));
}

} // namespace

Result<ModelSpec> readNemotronH(const GgufFile& file) { return readAs(file, "nemotron_h"); }

Result<ModelSpec> readNemotronHMoe(const GgufFile& file) { return readAs(file, "nemotron_h_moe"); }

} // namespace steelyard
