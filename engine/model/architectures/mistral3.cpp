// Mistral 3 and Ministral: as Llama, with scores that may grow with the position.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readMistral3(const GgufFile& file) {
    SpecReader reader(file, "mistral3");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    parts::temperature(reader, spec);
    reader.experts(spec, true);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
