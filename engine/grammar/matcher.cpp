#include "engine/grammar/matcher.h"

#include <algorithm>

namespace steelyard::grammar {

namespace {

constexpr size_t kMostMasks = 128;

void set(std::vector<uint64_t>& mask, TokenId token) { mask[static_cast<size_t>(token) / 64] |= uint64_t(1) << (token % 64); }

} // namespace

Matcher::Matcher(Grammar grammar, std::shared_ptr<const TokenTrie> trie)
    : m_shared(std::make_shared<Shared>(std::move(grammar), std::move(trie))), m_place(m_shared->walker.start()) {}

std::span<const uint64_t> Matcher::mask() {
    auto& masks = m_shared->masks;
    if (const auto known = masks.find(m_place); known != masks.end()) return known->second;
    if (m_shared->walker.isLarge() && !m_isCopy) {
        masks.clear();
        m_place = m_shared->walker.forget(m_place);
    }
    if (masks.size() >= kMostMasks) masks.clear();
    return masks[m_place] = computed();
}

std::vector<uint64_t> Matcher::computed() {
    auto& [trie, walker, masks, path, isStuck] = *m_shared;
    std::vector<uint64_t> mask((trie->vocabularySize() + 63) / 64);
    const auto nodes = trie->nodes();
    const auto tokens = trie->tokens();
    path[0] = m_place;
    for (uint32_t at = 0; at + 1 < nodes.size();) {
        const auto& node = nodes[at];
        const auto next = walker.step(path[node.depth], node.byte);
        if (next == Walker::kNowhere) {
            at = node.past;
            continue;
        }
        path[node.depth + 1u] = next;
        // A token stands where its last byte does, and the nodes of longer ones come after it.
        for (uint32_t i = node.firstToken; i < nodes[at + 1].firstToken; ++i) set(mask, tokens[i]);
        ++at;
    }
    if (!walker.problem().empty()) mask.assign(mask.size(), 0);
    else if (canEnd())
        for (const TokenId token : trie->endOfReply()) set(mask, token);
    isStuck = std::all_of(mask.begin(), mask.end(), [](uint64_t word) { return word == 0; });
    return mask;
}

Walker::Place Matcher::after(Walker::Place place, std::string_view bytes) {
    for (const char byte : bytes) {
        place = m_shared->walker.step(place, static_cast<uint8_t>(byte));
        if (place == Walker::kNowhere) break;
    }
    return place;
}

bool Matcher::allows(TokenId token) {
    if (token < 0 || static_cast<size_t>(token) >= m_shared->trie->vocabularySize()) return false;
    const auto& ends = m_shared->trie->endOfReply();
    if (std::find(ends.begin(), ends.end(), token) != ends.end()) return canEnd();
    const auto& bytes = m_shared->trie->bytesOf(token);
    return !bytes.empty() && after(m_place, bytes) != Walker::kNowhere;
}

bool Matcher::accept(TokenId token) {
    if (!allows(token)) return false;
    m_place = after(m_place, m_shared->trie->bytesOf(token));
    return true;
}

bool Matcher::acceptText(std::string_view bytes) {
    const auto place = after(m_place, bytes);
    if (place == Walker::kNowhere) return false;
    m_place = place;
    return true;
}

std::string Matcher::problem() const {
    if (!m_shared->walker.problem().empty()) return m_shared->walker.problem();
    return m_shared->isStuck ? "No token of the model goes on a text of the grammar here." : std::string();
}

} // namespace steelyard::grammar
