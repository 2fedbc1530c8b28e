// InternLM 2: as Llama.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readInternlm2(const GgufFile& file) {
    SpecReader reader(file, "internlm2");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
