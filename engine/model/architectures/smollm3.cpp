// SmolLM 3: as Llama, with every fourth layer without positions.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readSmollm3(const GgufFile& file) {
    SpecReader reader(file, "smollm3");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    constexpr uint32_t kPlainPeriod = 4;
    for (uint32_t index = kPlainPeriod - 1; index < spec.layers.size(); index += kPlainPeriod)
        if (spec.layers[index].attention) spec.layers[index].attention->rope.reset();
    return reader.finish(std::move(spec));
}

} // namespace steelyard
