// A tiny model whose tokens are characters, and chats of a known length for it: one letter is one token.
#pragma once

#include "engine/request.h"
#include "tests/engine/tiny_model.h"

#include <string>
#include <vector>

namespace steelyard {

inline constexpr int32_t kLettersEnd = 96; // its end token

// A model that reads any English text, a character a token.
inline TinyModel letters(uint32_t context, const std::string& chatTemplate) {
    std::vector<std::string> tokens;
    std::vector<int32_t> kinds;
    for (char c = '!'; c <= '~'; ++c) tokens.emplace_back(1, c);
    tokens.push_back("\xC4\xA0"); // a blank
    tokens.push_back("\xC4\x8A"); // a new line
    kinds.assign(tokens.size(), 1);
    tokens.push_back("<e>");
    kinds.push_back(3);
    const auto size = static_cast<uint64_t>(tokens.size());
    TinyModel model;
    model.key("tokenizer.ggml.tokens", tokens).key("tokenizer.ggml.token_type", kinds).key("tokenizer.ggml.merges", std::vector<std::string>{});
    model.key("tokenizer.ggml.eos_token_id", static_cast<uint32_t>(size - 1)).key("llama.context_length", context);
    model.key("tokenizer.chat_template", chatTemplate);
    return model.tensor("token_embd.weight", {32, size}).tensor("output.weight", {32, size});
}

// A chat template without control tokens: each message is "[role]", its text and a new line; then "[assistant]".
inline constexpr const char* kPlain = "{% for m in messages %}[{{ m.role }}]{{ m.content }}\n{% endfor %}[assistant]";

// A system prompt, and turns of so many letters each; the last is the person's.
inline std::vector<ChatMessage> talk(size_t turns, size_t letters) {
    std::vector<ChatMessage> messages{{"system", "be kind", ""}};
    for (size_t turn = 0; turn < turns; ++turn) {
        messages.push_back({"user", std::string(letters, static_cast<char>('a' + turn)), ""});
        if (turn + 1 < turns) messages.push_back({"assistant", std::string(letters, static_cast<char>('A' + turn)), ""});
    }
    return messages;
}

} // namespace steelyard
