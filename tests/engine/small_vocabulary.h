// A vocabulary for tests of grammars: every byte is a token, and some pieces that texts like JSON are made of are as well, also such that
// cut characters and words anywhere. Token 0 ends a reply, token 1 is a control token.
#pragma once

#include "engine/grammar/matcher.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace steelyard {

class SmallVocabulary : public Tokenizer {
public:
    explicit SmallVocabulary(const std::vector<std::string>& more = {}) : m_texts{"", ""} {
        for (int byte = 0; byte < 256; ++byte) m_texts.emplace_back(1, static_cast<char>(byte));
        for (const char* text : {"{\"", "\":", "\": ", "\",", ", \"", "\"}", "[]", "]}", "true", "fal", "se", "null", "12", "-1", ".5", "00", "e+", "\\u00", "\\\"", "abc", "ab",
                                 "a", "\n  ", "\xC3", "\xC3\xA9", "\xA9x", "\xE2\x82", "\xE2\x82\xAC\"", "\xF0\x9F", "name", "age", "id", "x", "root", "1.", "20", "-0"})
            m_texts.emplace_back(text);
        m_texts.insert(m_texts.end(), more.begin(), more.end());
        m_special.endOfReply = {0};
    }

    std::string bytes(TokenId id, bool) const override { return m_texts[static_cast<size_t>(id)]; }
    bool hasBlankPrefix() const override { return false; }
    size_t vocabularySize() const override { return m_texts.size(); }
    bool isControl(TokenId id) const override { return id < 2; }

protected:
    std::vector<TokenId> tokenizeReading(std::string_view, const Reading&) const override { return {}; }

private:
    std::vector<std::string> m_texts;
};

inline std::vector<TokenId> allowedTokens(std::span<const uint64_t> mask) {
    std::vector<TokenId> tokens;
    for (size_t id = 0; id < mask.size() * 64; ++id)
        if (mask[id / 64] >> (id % 64) & 1) tokens.push_back(static_cast<TokenId>(id));
    return tokens;
}

// A text that a grammar allows, from tokens drawn at random among the allowed ones; nothing when it did not end by itself.
inline std::optional<std::string> randomText(const grammar::Grammar& given, const std::shared_ptr<const grammar::TokenTrie>& trie, std::mt19937& random, std::string& problem,
                                             size_t longest = 300) {
    grammar::Matcher matcher(given, trie);
    std::string text;
    for (size_t step = 0; step < longest; ++step) {
        const auto allowed = allowedTokens(matcher.mask());
        if (allowed.empty()) {
            problem = "no token may come after: " + text + " (" + matcher.problem() + ")";
            return std::nullopt;
        }
        TokenId token = allowed[random() % allowed.size()];
        if (allowed[0] == 0 && random() % 3 == 0) token = 0;
        if (step > 40 && random() % 4) { // a text that became long is closed where it can be
            std::vector<TokenId> closing;
            for (const TokenId one : allowed)
                if (one == 0 || (trie->bytesOf(one).size() == 1 && std::string("}]\",bcx").find(trie->bytesOf(one)[0]) != std::string::npos)) closing.push_back(one);
            if (!closing.empty()) token = closing[0] == 0 ? 0 : closing[random() % closing.size()];
        }
        if (token == 0) return text;
        if (!matcher.accept(token)) {
            problem = "an allowed token is not accepted after: " + text;
            return std::nullopt;
        }
        text += trie->bytesOf(token);
    }
    return std::nullopt;
}

// Whether a text of a grammar is accepted when it is cut into tokens in a random way.
inline bool acceptsInPieces(const grammar::Grammar& given, const std::shared_ptr<const grammar::TokenTrie>& trie, const std::string& text, std::mt19937& random) {
    grammar::Matcher matcher(given, trie);
    for (size_t at = 0; at < text.size();) {
        std::vector<TokenId> fitting;
        for (size_t id = 2; id < trie->vocabularySize(); ++id) {
            const auto& bytes = trie->bytesOf(static_cast<TokenId>(id));
            if (text.compare(at, bytes.size(), bytes) == 0) fitting.push_back(static_cast<TokenId>(id));
        }
        const TokenId token = fitting[random() % fitting.size()];
        const auto mask = matcher.mask();
        const bool inMask = mask[static_cast<size_t>(token) / 64] >> (token % 64) & 1;
        if (!inMask || !matcher.accept(token)) return false;
        at += trie->bytesOf(token).size();
    }
    return matcher.canEnd() && matcher.allows(0);
}

} // namespace steelyard
