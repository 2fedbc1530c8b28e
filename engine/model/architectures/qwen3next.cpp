// Qwen 3 Next and Qwen 3.5: three layers of gated delta rule for each attention layer, whose output has a gate; dense or with experts
// and a weighed shared expert.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

namespace {

Result<ModelSpec> readAs(const GgufFile& file, const char* architecture, DeltaSpec::Form form) {
    SpecReader reader(file, architecture);
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    reader.experts(spec, true);
    const DeltaSpec delta = parts::deltaRule(reader, form);
    for (uint32_t index = 0; index < spec.layers.size(); ++index) {
        auto& layer = spec.layers[index];
        if (layer.attention) {
            layer.attention->outputGate = true;
            continue;
        }
        layer.recurrent = delta;
        if (form == DeltaSpec::Form::QwenNext && !reader.hasLayerTensor(index, "attn_qkv.weight"))
            std::get<DeltaSpec>(*layer.recurrent).form = DeltaSpec::Form::QwenNextByHead;
    }
    return reader.finish(std::move(spec));
}

} // namespace

Result<ModelSpec> readQwen3Next(const GgufFile& file) { return readAs(file, "qwen3next", DeltaSpec::Form::QwenNext); }

Result<ModelSpec> readQwen35(const GgufFile& file) { return readAs(file, "qwen35", DeltaSpec::Form::Qwen35); }

Result<ModelSpec> readQwen35Moe(const GgufFile& file) { return readAs(file, "qwen35moe", DeltaSpec::Form::Qwen35); }

} // namespace steelyard
