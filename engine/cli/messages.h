// Conversations in files: an array of messages, or an object with "messages" and what else a template may use.
#pragma once

#include "engine/cli/command.h"
#include "engine/request.h"

namespace steelyard::cli {

// The variables for a template: the object as it is, but for null members and what describes a test case (its name and
// result). An array becomes "messages", to be answered.
Result<Json> templateVariables(const Json& conversation);

// The messages for the engine; content in parts is joined where all parts are text.
Result<std::vector<ChatMessage>> chatMessages(const Json& conversation);

// What a model is asked: a file's text to be continued, or a file's conversation to be answered.
Result<Prompt> textPrompt(const std::string& file);
Result<Prompt> messagesPrompt(const std::string& file);

} // namespace steelyard::cli
