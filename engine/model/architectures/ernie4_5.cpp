// ERNIE 4.5, dense and with experts: as Llama.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

namespace {

Result<ModelSpec> readAs(const GgufFile& file, const char* architecture) {
    SpecReader reader(file, architecture);
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    if (spec.architecture == "ernie4_5-moe") reader.experts(spec, true); // the dense form has the keys and no experts
    return reader.finish(std::move(spec));
}

} // namespace

Result<ModelSpec> readErnie45(const GgufFile& file) { return readAs(file, "ernie4_5"); }

Result<ModelSpec> readErnie45Moe(const GgufFile& file) { return readAs(file, "ernie4_5-moe"); }

} // namespace steelyard
