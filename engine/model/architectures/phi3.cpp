// Phi 3, 4 and Phi MoE: fused queries, keys and values, a fused gate, and factors for long contexts.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

namespace {

Result<ModelSpec> readAs(const GgufFile& file, const char* architecture) {
    SpecReader reader(file, architecture);
    ModelSpec spec = reader.common(ops::RotaryMode::Halves);
    reader.experts(spec, true);
    return reader.finish(std::move(spec));
}

} // namespace

Result<ModelSpec> readPhi3(const GgufFile& file) { return readAs(file, "phi3"); }

Result<ModelSpec> readPhiMoe(const GgufFile& file) { return readAs(file, "phimoe"); }

} // namespace steelyard
