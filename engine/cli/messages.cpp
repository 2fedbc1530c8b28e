#include "engine/cli/messages.h"

#include "engine/cli/files.h"

#include <algorithm>

namespace steelyard::cli {

Result<Json> templateVariables(const Json& conversation) {
    Json variables = Json::object();
    if (conversation.is_array()) {
        variables["messages"] = conversation;
        variables["add_generation_prompt"] = true;
        return variables;
    }
    if (!conversation.is_object() || !conversation.contains("messages"))
        return Error{"A conversation is a JSON array of messages, or an object with \"messages\"."};
    constexpr const char* kCaseFields[] = {"name", "rendered", "error", "message"};
    for (const auto& entry : conversation.items()) {
        const bool ofCase = std::any_of(std::begin(kCaseFields), std::end(kCaseFields),
                                        [&](const char* field) { return entry.key() == field; });
        if (!ofCase && !entry.value().is_null()) variables[entry.key()] = entry.value();
    }
    return variables;
}

namespace {

Result<std::string> contentOf(const Json& message) {
    const auto content = message.find("content");
    if (content == message.end() || content->is_null()) return std::string();
    if (content->is_string()) return content->get<std::string>();
    std::string text;
    if (content->is_array()) {
        for (const auto& part : *content) {
            const bool isText = part.is_object() && part.value("type", Json()) == "text" && part.contains("text") &&
                                part["text"].is_string();
            if (!isText) return Error{"A message has a part that is no text; only texts are understood."};
            text += part["text"].get_ref<const std::string&>();
        }
        return text;
    }
    return Error{"The content of a message must be a text or a list of parts."};
}

} // namespace

Result<std::vector<ChatMessage>> chatMessages(const Json& conversation) {
    const Json* list = &conversation;
    if (conversation.is_object() && conversation.contains("messages")) list = &conversation["messages"];
    if (!list->is_array()) return Error{"A conversation is a JSON array of messages, or an object with \"messages\"."};
    std::vector<ChatMessage> messages;
    for (const auto& entry : *list) {
        if (!entry.is_object() || !entry.contains("role") || !entry["role"].is_string())
            return Error{"Each message needs a \"role\"."};
        auto content = contentOf(entry);
        if (!content) return content.error();
        ChatMessage message{entry["role"].get<std::string>(), std::move(*content), {}};
        const auto reasoning = entry.find("reasoning_content");
        if (reasoning != entry.end() && reasoning->is_string()) message.reasoning = reasoning->get<std::string>();
        messages.push_back(std::move(message));
    }
    if (messages.empty()) return Error{"The conversation has no messages."};
    return messages;
}

Result<Prompt> textPrompt(const std::string& file) {
    auto text = readFile(file);
    if (!text) return text.error();
    Prompt prompt;
    prompt.kind = Prompt::Kind::Text;
    prompt.text = std::move(*text);
    return prompt;
}

Result<Prompt> messagesPrompt(const std::string& file) {
    const auto json = readJson(file);
    if (!json) return json.error();
    auto messages = chatMessages(*json);
    if (!messages) return messages.error();
    Prompt prompt;
    prompt.kind = Prompt::Kind::Messages;
    prompt.messages = std::move(*messages);
    return prompt;
}

} // namespace steelyard::cli
