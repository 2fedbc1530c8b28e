// Earlier tool calls in a conversation, as a template wants them. Clients send a call's arguments as JSON text; templates that
// write them as JSON or go through them need the mapping, those that print them need the text. Knows no model: it looks at what
// the template makes of them.
#pragma once

#include "engine/template/chat_format.h"

#include <nlohmann/json.hpp>

namespace steelyard {

// The variables with each call's arguments decoded once, unless the template prints the texts as they are, or can do nothing
// with either form.
nlohmann::ordered_json withToolArguments(const ChatFormat& format, const nlohmann::ordered_json& variables, int64_t nowSeconds);

} // namespace steelyard
