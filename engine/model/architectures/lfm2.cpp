// LFM 2, dense and with experts: gated short convolutions with an attention layer now and then.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

namespace {

Result<ModelSpec> readAs(const GgufFile& file, const char* architecture) {
    SpecReader reader(file, architecture);
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    spec.outputNorm->tensor = "token_embd_norm"; // the norm before the head, by an old name
    spec.outputNorm->bias = false;
    reader.experts(spec, true, ops::RouteFunction::Sigmoid);
    const uint32_t width = reader.count("shortconv.l_cache", kMaxConvWidth), window = reader.count("attention.sliding_window", 1u << 30, 0);
    for (auto& layer : spec.layers) {
        if (layer.attention) layer.attention->window = window;
        else layer.recurrent = ShortConvSpec{spec.embedding, width};
    }
    return reader.finish(std::move(spec));
}

} // namespace

Result<ModelSpec> readLfm2(const GgufFile& file) { return readAs(file, "lfm2"); }

Result<ModelSpec> readLfm2Moe(const GgufFile& file) { return readAs(file, "lfm2moe"); }

} // namespace steelyard
