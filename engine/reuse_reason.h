// Why a chat's prompt parts from what its cache holds, as far as the texts show it. Tensor-free; any thread.
#pragma once

#include "engine/tokenizer/tokenizer.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace steelyard {

// `before`: the ids of the chat's last turn; `now`: those of its prompt; `userText`: the person's first message, or empty.
// "template dropped reasoning": where the old turn begins to reason, the new prompt does not;
// "date in system prompt": they part in a date or time before the person's first message;
// "edited message": otherwise.
std::string reasonOfParting(const Tokenizer& tokenizer, std::span<const int32_t> before, std::span<const int32_t> now, const std::string& userText);

} // namespace steelyard
