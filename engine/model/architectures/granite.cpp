// Granite, dense and with experts: as Llama, with factors for embeddings, residual sums, scores and logits.
#include "engine/model/architectures/declarations.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

namespace {

Result<ModelSpec> readAs(const GgufFile& file, const char* architecture) {
    SpecReader reader(file, architecture);
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    parts::graniteScales(reader, spec);
    reader.experts(spec, true);
    return reader.finish(std::move(spec));
}

} // namespace

Result<ModelSpec> readGranite(const GgufFile& file) { return readAs(file, "granite"); }

Result<ModelSpec> readGraniteMoe(const GgufFile& file) { return readAs(file, "granitemoe"); }

} // namespace steelyard
