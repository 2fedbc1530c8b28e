// Kimi Linear: delta rule layers with a gate per channel, and latent attention without positions now and then.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readKimiLinear(const GgufFile& file) {
    SpecReader reader(file, "kimi-linear");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    parts::latentAttention(reader, spec);
    reader.experts(spec, true, ops::RouteFunction::Sigmoid);
    DeltaSpec delta;
    delta.form = DeltaSpec::Form::Kimi;
    delta.headDimK = delta.headDimV = reader.count("kda.head_dim", 256);
    delta.convWidth = reader.count("ssm.conv_kernel", kMaxConvWidth);
    for (uint32_t index = 0; index < spec.layers.size(); ++index) {
        auto& layer = spec.layers[index];
        if (layer.attention) {
            layer.attention->rope.reset();
            continue;
        }
        delta.keyHeads = delta.valueHeads = reader.tensorRows(index, "attn_q.weight", 1u << 17) / delta.headDimK;
        if (delta.keyHeads == 0) reader.problem("The tensors of layer " + std::to_string(index) + " do not fit heads of " + std::to_string(delta.headDimK) + ".");
        layer.recurrent = delta;
    }
    return reader.finish(std::move(spec));
}

} // namespace steelyard
