// Granite 4: Mamba 2 layers with an attention layer now and then, with the factors of Granite.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readGraniteHybrid(const GgufFile& file) {
    SpecReader reader(file, "granitehybrid");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    parts::graniteScales(reader, spec);
    parts::mamba2(reader, spec);
    reader.experts(spec, true);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
