// Llama 1 to 3 and everything that copies it (SmolLM2, Mistral 7B): RMS norms, gated SiLU, rotation of adjacent pairs.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readLlama(const GgufFile& file) {
    SpecReader reader(file, "llama");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    if (reader.has("expert_count")) reader.problem("Mixtures of experts in the architecture \"llama\" are not known to this version.");
    for (auto& layer : spec.layers) {
        layer.attention.bias = reader.hasTensor("blk.0.attn_q.bias");
        layer.attention.outputBias = reader.hasTensor("blk.0.attn_output.bias");
        layer.feedForward.bias = reader.hasTensor("blk.0.ffn_gate.bias");
    }
    return reader.finish(std::move(spec));
}

} // namespace steelyard
