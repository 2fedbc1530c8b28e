// The vocabulary as a tree of bytes, so that what tokens have in common is looked at once. Made once per model and shared by all
// grammars; immutable. Tokens without bytes (control tokens) are not in it.
#pragma once

#include "engine/tokenizer/tokenizer.h"

#include <memory>
#include <span>

namespace steelyard::grammar {

class TokenTrie {
public:
    static std::shared_ptr<const TokenTrie> of(const Tokenizer& tokenizer);

    // Nodes in the order in which a walk from the root meets them.
    struct Node {
        uint32_t past = 0;       // the first node that is not below this one
        uint32_t firstToken = 0; // of tokens(); they go up to the next node's first
        uint16_t depth = 0;      // bytes before this node's own
        uint8_t byte = 0;
    };
    std::span<const Node> nodes() const { return m_nodes; } // the last one is no node, it closes the lists
    std::span<const TokenId> tokens() const { return m_tokens; }
    size_t deepest() const { return m_deepest; }

    const std::vector<TokenId>& endOfReply() const { return m_endOfReply; }
    size_t vocabularySize() const { return m_vocabularySize; }
    // What a token adds to the text; empty for control tokens.
    const std::string& bytesOf(TokenId token) const { return m_bytes[static_cast<size_t>(token)]; }

private:
    std::vector<Node> m_nodes;
    std::vector<TokenId> m_tokens;
    std::vector<std::string> m_bytes;
    std::vector<TokenId> m_endOfReply;
    size_t m_vocabularySize = 0, m_deepest = 0;
};

} // namespace steelyard::grammar
