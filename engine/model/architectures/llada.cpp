// LLaDA, LLaDA-MoE and Dream: Llama and Qwen 2 shapes in which every token sees all others; their text comes from filling in
// masked tokens.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

namespace {

Result<ModelSpec> readAs(const GgufFile& file, const char* architecture, ops::RotaryMode mode) {
    SpecReader reader(file, architecture);
    ModelSpec spec = reader.common(mode);
    spec.causal = reader.flag("attention.causal", false);
    reader.experts(spec, false);
    return reader.finish(std::move(spec));
}

} // namespace

Result<ModelSpec> readDream(const GgufFile& file) { return readAs(file, "dream", ops::RotaryMode::Halves); }

Result<ModelSpec> readLlada(const GgufFile& file) { return readAs(file, "llada", ops::RotaryMode::Adjacent); }

Result<ModelSpec> readLladaMoe(const GgufFile& file) { return readAs(file, "llada-moe", ops::RotaryMode::Halves); }

} // namespace steelyard
