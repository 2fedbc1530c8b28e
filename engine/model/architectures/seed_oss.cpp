// Seed OSS: as Llama with rotation of halves; the norm before the feed-forward is named after the attention.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readSeedOss(const GgufFile& file) {
    SpecReader reader(file, "seed_oss");
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    return reader.finish(std::move(spec));
}

} // namespace steelyard
