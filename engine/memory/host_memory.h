// What a load takes of the computer's memory beside what its device gives: the head's values, the vocabulary that is made of
// them, the logits of a step, and what threads work in.
//
// Counted from the head as the containers hold it, so that resident memory can be predicted. Knows nothing of devices.
#pragma once

#include "engine/format/gguf_file.h"
#include "engine/model/activations.h"

#include <cstdint>

namespace steelyard {

uint64_t hostBytes(const GgufFile& file, uint32_t vocabulary, const StepShape& shape);

} // namespace steelyard
