// One function per architecture: a file's metadata to its spec. Defined in <name>.cpp; listed in ../architectures.cpp.
#pragma once

#include "engine/core/result.h"
#include "engine/format/gguf_file.h"
#include "engine/model/model_spec.h"

namespace steelyard {

Result<ModelSpec> readGemma3(const GgufFile& file);
Result<ModelSpec> readLlama(const GgufFile& file);
Result<ModelSpec> readQwen2(const GgufFile& file);
Result<ModelSpec> readQwen3(const GgufFile& file);

} // namespace steelyard
