// Which model, and which vocabulary: so that distributions kept in a file are used for nothing else, and two models are compared only
// where token 17 is the same word in both. Knows nothing of what is measured.
#pragma once

#include "engine/cache/cache_key.h"
#include "engine/core/result.h"
#include "engine/request.h"

#include <string>

namespace steelyard {

// The weights (by the file's head, its size and samples of its data), how its cache keeps them, and on what kind of device.
Result<CacheKey> identityOf(const GgufFile& file, const LoadRequest& request);

// Of the words of a vocabulary in their order; all zeros where the file brings none.
CacheKey vocabularyOf(const GgufFile& file);

// Empty where both have the same words with the same numbers; else a sentence that names what differs.
std::string vocabularyDifference(const GgufFile& model, const GgufFile& reference);

} // namespace steelyard
