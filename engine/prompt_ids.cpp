#include "engine/prompt_ids.h"

#include "engine/tokenizer/incremental_decoder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>

namespace steelyard {

namespace {

// Seconds since 1970 as the local clock shows them, for strftime_now.
int64_t localSeconds() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
#if defined(_WIN32)
    gmtime_s(&utc, &now);
#else
    gmtime_r(&now, &utc);
#endif
    utc.tm_isdst = -1;
    return static_cast<int64_t>(now) + static_cast<int64_t>(now - std::mktime(&utc));
}

std::string tokenText(const Tokenizer& tokenizer, const std::optional<TokenId>& id) {
    return id ? tokenizer.bytes(*id, true) : std::string();
}

// What a base model continues: the texts of the messages, one after the other.
std::vector<TextPiece> plainPieces(const std::vector<ChatMessage>& messages) {
    std::vector<TextPiece> pieces;
    for (const auto& message : messages) {
        if (message.content.empty()) continue;
        if (!pieces.empty()) pieces.push_back({"\n", false});
        pieces.push_back({message.content, false});
    }
    return pieces;
}

Result<std::vector<TextPiece>> renderedPieces(const LoadedModel& model, const std::vector<ChatMessage>& messages) {
    if (!model.format) return plainPieces(messages);
    nlohmann::ordered_json variables;
    auto& list = variables["messages"] = nlohmann::ordered_json::array();
    for (const auto& message : messages) {
        nlohmann::ordered_json entry{{"role", message.role}, {"content", message.content}};
        if (!message.reasoning.empty()) entry["reasoning_content"] = message.reasoning;
        list.push_back(std::move(entry));
    }
    variables["add_generation_prompt"] = true;
    variables["bos_token"] = tokenText(*model.tokenizer, model.tokenizer->special().bos);
    variables["eos_token"] = tokenText(*model.tokenizer, model.tokenizer->special().eos);
    const auto rendered = model.format->render(variables, localSeconds());
    if (!rendered) return Error{"The model's chat template refuses this chat: " + rendered.sentence()};
    std::vector<TextPiece> pieces;
    for (const auto& piece : *rendered) pieces.push_back({piece.text, piece.trusted});
    return pieces;
}

// An unfinished reply as the model wrote it, after the pieces of its prompt.
std::vector<TextPiece> replyPieces(const std::vector<TextPiece>& prompt, const ChatMessage& reply) {
    std::vector<TextPiece> pieces;
    if (!reply.reasoning.empty()) {
        std::string end = prompt.empty() ? std::string() : prompt.back().text;
        end.erase(end.find_last_not_of(" \n") + 1);
        const std::string open = "<think>";
        const bool opened = end.size() >= open.size() && end.compare(end.size() - open.size(), open.size(), open) == 0;
        if (!opened) pieces.push_back({open + "\n", true});
        pieces.push_back({reply.reasoning, false});
        if (!reply.content.empty()) pieces.push_back({"\n</think>\n\n", true});
    }
    if (!reply.content.empty()) pieces.push_back({reply.content, false});
    return pieces;
}

void prependBos(const LoadedModel& model, std::vector<int32_t>& ids) {
    const auto& special = model.tokenizer->special();
    if (special.addBos && special.bos && (ids.empty() || ids.front() != *special.bos)) ids.insert(ids.begin(), *special.bos);
}

std::string withoutSpace(std::string text) {
    text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return c <= ' '; }), text.end());
    return text;
}

// The ids with which the chat's cache goes on after `prompt`, if they spell this reply; blanks at its edges may differ.
std::vector<int32_t> keptReply(const LoadedModel& model, uint64_t chat, const std::vector<int32_t>& prompt, const std::vector<TextPiece>& reply) {
    const auto* turn = model.prefixes->turnOf(chat);
    if (!turn || commonPrefix(*turn, prompt) != prompt.size()) return {};
    const std::vector<int32_t> ids(turn->begin() + static_cast<std::ptrdiff_t>(prompt.size()), turn->end());
    IncrementalDecoder decoder(model.tokenizer, false);
    std::string spelled, wanted;
    for (const int32_t id : ids) spelled += decoder.push(id);
    for (const auto& piece : reply) wanted += piece.text;
    return withoutSpace(spelled) == withoutSpace(wanted) ? ids : std::vector<int32_t>();
}

// What stands fast of a message that is still being written: all but its last word.
std::string withoutLastWord(const std::string& text) {
    const size_t end = text.find_last_of(" \n\t");
    return end == std::string::npos ? std::string() : text.substr(0, end);
}

// The pieces up to the end of what is being written; nothing of what the template puts behind it.
Result<std::vector<TextPiece>> unfinishedPieces(const LoadedModel& model, std::vector<ChatMessage> messages) {
    messages.back().content = withoutLastWord(messages.back().content);
    const bool empty = messages.back().content.empty();
    // A mark shows where the text begins if nothing of it stands fast.
    if (empty) messages.back().content = "x";
    auto pieces = renderedPieces(model, messages);
    if (!pieces) return pieces;
    while (!pieces->empty() && pieces->back().trusted) pieces->pop_back();
    if (empty && !pieces->empty()) pieces->pop_back();
    return pieces;
}

Result<PromptIds> chatIds(const LoadedModel& model, const Prompt& prompt, uint64_t chat) {
    if (prompt.stillWriting && !prompt.messages.empty()) {
        const auto pieces = unfinishedPieces(model, prompt.messages);
        if (!pieces) return pieces.error();
        PromptIds result{model.tokenizer->tokenize(*pieces), 0};
        prependBos(model, result.ids);
        return result;
    }
    const bool goesOn = prompt.continuesReply && model.format && !prompt.messages.empty();
    std::vector<ChatMessage> messages = prompt.messages;
    if (goesOn) messages.pop_back();
    auto pieces = renderedPieces(model, messages);
    if (!pieces) return pieces.error();
    PromptIds result{model.tokenizer->tokenize(*pieces), 0};
    prependBos(model, result.ids);
    if (!goesOn) return result;
    const size_t promptSize = result.ids.size();
    const std::vector<TextPiece> reply = replyPieces(*pieces, prompt.messages.back());
    const std::vector<int32_t> kept = keptReply(model, chat, result.ids, reply);
    if (!kept.empty()) {
        result.ids.insert(result.ids.end(), kept.begin(), kept.end());
    } else {
        pieces->insert(pieces->end(), reply.begin(), reply.end());
        result.ids = model.tokenizer->tokenize(*pieces);
        prependBos(model, result.ids);
    }
    result.replyTokens = static_cast<uint32_t>(result.ids.size() - std::min(promptSize, result.ids.size()));
    return result;
}

} // namespace

Result<PromptIds> promptIds(const LoadedModel& model, const GenerateRequest& request) {
    const Prompt& prompt = request.prompt;
    PromptIds result;
    switch (prompt.kind) {
    case Prompt::Kind::Ids: result.ids = prompt.ids; break;
    case Prompt::Kind::Text:
        result.ids = model.tokenizer->tokenize(std::vector<TextPiece>{{prompt.text, prompt.special}});
        prependBos(model, result.ids);
        break;
    case Prompt::Kind::Messages: {
        auto chat = chatIds(model, prompt, request.chat);
        if (!chat) return chat.error();
        result = std::move(*chat);
        break;
    }
    }
    if (result.ids.empty()) return Error{"The prompt is empty; there is nothing to continue."};
    const auto vocabulary = static_cast<int32_t>(model.transformer->spec().vocabulary);
    for (const int32_t id : result.ids)
        if (id < 0 || id >= vocabulary)
            return Error{"The token id " + std::to_string(id) + " is outside the vocabulary of " + std::to_string(vocabulary) + "."};
    return result;
}

} // namespace steelyard
