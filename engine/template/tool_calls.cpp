#include "engine/template/tool_calls.h"

#include <algorithm>

namespace steelyard {

namespace {

using Json = nlohmann::ordered_json;

// Decodes the arguments of one call where they are the text of an object; its text is added to `texts`.
void decodeArguments(Json& call, std::vector<std::string>& texts) {
    if (!call.is_object()) return;
    Json& function = call.contains("function") ? call["function"] : call;
    if (!function.is_object() || !function.contains("arguments") || !function["arguments"].is_string()) return;
    const std::string text = function["arguments"];
    Json value = Json::parse(text, nullptr, false);
    if (!value.is_object()) return;
    texts.push_back(text);
    function["arguments"] = std::move(value);
}

} // namespace

Json withToolArguments(const ChatFormat& format, const Json& variables, int64_t nowSeconds) {
    Json decoded = variables;
    std::vector<std::string> texts;
    if (!decoded.is_object() || !decoded.contains("messages") || !decoded["messages"].is_array()) return variables;
    for (auto& message : decoded["messages"])
        if (message.is_object() && message.contains("tool_calls") && message["tool_calls"].is_array())
            for (auto& call : message["tool_calls"]) decodeArguments(call, texts);
    if (texts.empty()) return variables;
    const auto asText = format.render(variables, nowSeconds);
    const std::string prompt = asText ? joined(*asText) : std::string();
    // Not within braces of the template's own: it writes the members itself then.
    const auto isPrinted = [&](const std::string& text) { return prompt.find(text) != std::string::npos && prompt.find("{" + text) == std::string::npos; };
    if (asText && std::all_of(texts.begin(), texts.end(), isPrinted)) return variables;
    return format.render(decoded, nowSeconds) ? decoded : variables;
}

} // namespace steelyard
