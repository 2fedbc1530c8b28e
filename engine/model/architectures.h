// The list of model architectures: one row each in architectures.cpp.
#pragma once

#include "engine/core/result.h"
#include "engine/format/gguf_file.h"
#include "engine/model/model_spec.h"

#include <string>
#include <string_view>
#include <vector>

namespace steelyard {

// The spec of a file, by its key general.architecture; the error names an architecture that is not known, or the first
// key that is missing or out of range.
Result<ModelSpec> readSpec(const GgufFile& file);

// The names of all architectures that can be run.
std::vector<std::string_view> architectureNames();

} // namespace steelyard
