#include "engine/grammar/token_trie.h"

#include <algorithm>

namespace steelyard::grammar {

namespace {

constexpr size_t kLongestToken = 60000; // bytes; none of a real vocabulary comes near

} // namespace

std::shared_ptr<const TokenTrie> TokenTrie::of(const Tokenizer& tokenizer) {
    auto trie = std::make_shared<TokenTrie>();
    trie->m_vocabularySize = tokenizer.vocabularySize();
    trie->m_endOfReply = tokenizer.special().endOfReply;
    trie->m_bytes.resize(trie->m_vocabularySize);
    std::vector<TokenId> order;
    for (size_t id = 0; id < trie->m_vocabularySize; ++id) {
        const auto token = static_cast<TokenId>(id);
        const auto& ends = trie->m_endOfReply;
        if (tokenizer.isControl(token) || std::find(ends.begin(), ends.end(), token) != ends.end()) continue;
        trie->m_bytes[id] = tokenizer.bytes(token, false);
        const size_t length = trie->m_bytes[id].size();
        if (length > 0 && length <= kLongestToken) order.push_back(token);
        trie->m_deepest = std::max(trie->m_deepest, length);
    }
    const auto bytesOf = [&](TokenId token) -> const std::string& { return trie->m_bytes[static_cast<size_t>(token)]; };
    std::sort(order.begin(), order.end(), [&](TokenId a, TokenId b) { return bytesOf(a) != bytesOf(b) ? bytesOf(a) < bytesOf(b) : a < b; });

    std::vector<uint32_t> path; // the nodes of the last token's bytes
    std::string_view last;
    const auto leave = [&](size_t depth) {
        for (; path.size() > depth; path.pop_back()) trie->m_nodes[path.back()].past = static_cast<uint32_t>(trie->m_nodes.size());
    };
    for (const TokenId token : order) {
        const std::string_view bytes = bytesOf(token);
        const size_t common = static_cast<size_t>(std::mismatch(bytes.begin(), bytes.end(), last.begin(), last.end()).first - bytes.begin());
        leave(common);
        for (size_t depth = common; depth < bytes.size(); ++depth) {
            path.push_back(static_cast<uint32_t>(trie->m_nodes.size()));
            trie->m_nodes.push_back({0, static_cast<uint32_t>(trie->m_tokens.size()), static_cast<uint16_t>(depth), static_cast<uint8_t>(bytes[depth])});
        }
        trie->m_tokens.push_back(token);
        last = bytes;
    }
    leave(0);
    trie->m_nodes.push_back({static_cast<uint32_t>(trie->m_nodes.size() + 1), static_cast<uint32_t>(trie->m_tokens.size()), 0, 0});
    return trie;
}

} // namespace steelyard::grammar
