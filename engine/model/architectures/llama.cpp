// Llama 1 to 3 and everything that copies it (SmolLM2, Mistral 7B, Mixtral): RMS norms, gated SiLU, rotation of adjacent pairs.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readLlama(const GgufFile& file) {
    SpecReader reader(file, "llama");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    reader.experts(spec, true);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
