// GGUF carries more than language models: adapters, projectors, embedding and speech models, importance matrices. This
// says so in a sentence, so that a person knows what they have. Knows nothing of how models run.
#pragma once

#include "engine/format/gguf_file.h"

#include <string>

namespace steelyard {

// What the file is and what it is for, when it is not a language model with weights; empty for one that may be.
std::string describeOtherKind(const GgufFile& file);

} // namespace steelyard
