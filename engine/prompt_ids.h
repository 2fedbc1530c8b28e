// From a request's messages, text or ids to the ids that the model reads; and what of a chat is left out where the context is full.
//
// Text that came from people or models cannot become a control token. Used by the engine thread.
#pragma once

#include "engine/loaded_model.h"

namespace steelyard {

struct PromptIds {
    std::vector<int32_t> ids;
    uint32_t replyTokens = 0; // the last ones are a reply's, which goes on
};

// The ids of a request's prompt; the error says what the template or the options refuse. A reply that goes on takes the
// very ids that its chat's cache holds, where they say the same.
Result<PromptIds> promptIds(const LoadedModel& model, const GenerateRequest& request);

struct FittedPrompt {
    PromptIds prompt;
    uint32_t droppedMessages = 0, droppedTokens = 0;
};

// The same, with the oldest turns left out until at most `limit` tokens are left: as few as do, each a message of the person and
// all up to the next one; never what stands before the first of them (the system prompt) nor the last turn. An error when there
// is nothing more to leave out.
Result<FittedPrompt> promptWithin(const LoadedModel& model, const GenerateRequest& request, uint32_t limit);

} // namespace steelyard
