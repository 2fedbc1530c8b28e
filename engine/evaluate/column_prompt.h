// The prompt as a column gets it: with the history that it has of its own, and the filler that is put before it.
// Knows nothing of answers.
#pragma once

#include "engine/evaluate/comparison_data.h"
#include "engine/waiting_engine.h"

namespace steelyard {

// The prompt of a column, of one for all or one for each. The error says what is missing.
Result<Prompt> columnPrompt(const std::vector<Prompt>& prompts, const ComparisonColumn& column, size_t index, WaitingEngine& engine);

// About `tokens` tokens of plain sentences about nothing that anyone would ask for; the same every time.
std::string fillerText(uint32_t tokens, WaitingEngine& engine);

} // namespace steelyard
