#include "engine/tokenizer/added_tokens.h"

#include <algorithm>

namespace steelyard {

namespace {

// Longer tokens are never looked for, which bounds the work per place.
constexpr size_t kLongestAddedToken = 256;

bool isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

} // namespace

AddedTokens::AddedTokens(const Vocabulary& vocabulary)
    : m_nodes(1), m_stripsAfterControl(vocabulary.stripsAfterControl) {
    for (size_t i = 0; i < vocabulary.texts.size(); ++i) {
        const TokenKind kind = vocabulary.kinds[i];
        if (kind != TokenKind::Control && kind != TokenKind::UserDefined && kind != TokenKind::Unknown) continue;
        const auto id = static_cast<TokenId>(i);
        if (!vocabulary.texts[i].empty() && vocabulary.texts[i].size() <= kLongestAddedToken)
            insert(vocabulary.texts[i], id, vocabulary.needsTrust(id));
    }
    if (!m_stripsAfterControl) return;
    m_isControl.resize(vocabulary.texts.size());
    for (size_t i = 0; i < vocabulary.texts.size(); ++i) {
        const std::string& text = vocabulary.texts[i];
        m_isControl[i] = text != "<unk>" && text != "<s>" && text != "<|endoftext|>";
    }
}

// Of tokens with the same text the first wins.
void AddedTokens::insert(std::string_view text, TokenId id, bool needsTrust) {
    uint32_t node = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        auto& next = m_nodes[node].next;
        const auto place = std::lower_bound(next.begin(), next.end(), byte,
                                            [](const auto& edge, unsigned char b) { return edge.first < b; });
        if (place != next.end() && place->first == byte) {
            node = place->second;
            continue;
        }
        const auto created = static_cast<uint32_t>(m_nodes.size());
        next.insert(place, {byte, created});
        if (node == 0) m_first[byte] = created;
        m_nodes.emplace_back(); // may move `next`
        node = created;
    }
    if (m_nodes[node].token >= 0) return;
    m_nodes[node].token = id;
    m_nodes[node].needsTrust = needsTrust;
}

// `trustedUpTo`: end of the trusted range in which `at` lies; `at` itself when it lies in none.
AddedTokens::Match AddedTokens::longestAt(std::string_view text, size_t at, size_t trustedUpTo) const {
    Match best;
    uint32_t node = m_first[static_cast<unsigned char>(text[at])];
    for (size_t i = at + 1; node != 0; ++i) {
        if (m_nodes[node].token >= 0 && (!m_nodes[node].needsTrust || i <= trustedUpTo))
            best = {m_nodes[node].token, i - at};
        if (i == text.size()) break;
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto& next = m_nodes[node].next;
        const auto place = std::lower_bound(next.begin(), next.end(), byte,
                                            [](const auto& edge, unsigned char b) { return edge.first < b; });
        node = place != next.end() && place->first == byte ? place->second : 0;
    }
    return best;
}

std::vector<Fragment> AddedTokens::split(std::string_view text, std::span<const TrustedRange> trusted) const {
    std::vector<Fragment> fragments;
    size_t gap = 0, range = 0;
    for (size_t at = 0; at < text.size();) {
        while (range < trusted.size() && trusted[range].to <= at)
            ++range;
        const size_t trustedUpTo = range < trusted.size() && trusted[range].from <= at ? trusted[range].to : at;
        const Match match = m_nodes.empty() ? Match{} : longestAt(text, at, trustedUpTo);
        if (match.length == 0) {
            ++at;
            continue;
        }
        if (gap < at) fragments.push_back({std::nullopt, gap, at});
        fragments.push_back({match.token, at, at + match.length});
        at += match.length;
        if (m_stripsAfterControl && m_isControl[static_cast<size_t>(match.token)])
            while (at < text.size() && isBlank(text[at]))
                ++at;
        gap = at;
    }
    if (gap < text.size()) fragments.push_back({std::nullopt, gap, text.size()});
    return fragments;
}

} // namespace steelyard
