// Qwen 2 and 2.5: as Llama, with biases on queries, keys and values and rotation of halves.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readQwen2(const GgufFile& file) {
    SpecReader reader(file, "qwen2");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
