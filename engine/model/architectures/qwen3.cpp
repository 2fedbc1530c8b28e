// Qwen 3, dense and with experts: as Qwen 2 without the biases, with RMS norms of each query and key head.
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

Result<ModelSpec> readQwen3(const GgufFile& file) { return readAs(file, "qwen3"); }

Result<ModelSpec> readQwen3Moe(const GgufFile& file) { return readAs(file, "qwen3moe"); }

} // namespace steelyard
