// How probable the model found a chosen token and the most probable ones in its place, from its logits before anything changed them:
// what the field's servers call logprobs.
#pragma once

#include "engine/event.h"
#include "engine/tokenizer/tokenizer.h"

#include <span>

namespace steelyard {

TokenLogprobs logprobsOf(std::span<const float> logits, int32_t chosen, int32_t top, const Tokenizer& tokenizer);

} // namespace steelyard
