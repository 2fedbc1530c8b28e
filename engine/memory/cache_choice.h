// Which types a model's cache gets of those that were asked for: what a model cannot bear becomes F16, and a notice says so.
//
// Models with attention sinks keep F16, because their scores hang on few keys that a coarser type spoils; so do models with
// compressed keys, whose kernels read floats and halves; and so do keys or values whose heads are no whole groups of 32. Knows
// nothing of memory.
#pragma once

#include "engine/cache/cache_layout.h"
#include "engine/model/model_spec.h"

#include <string>
#include <vector>

namespace steelyard {

CacheTypes chooseCacheTypes(const ModelSpec& spec, CacheTypes wanted, std::vector<std::string>& notices);

} // namespace steelyard
