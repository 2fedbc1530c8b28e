#include "engine/tokenizer/added_tokens.h"

namespace steelyard {

namespace {

bool isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

} // namespace

AddedTokens::AddedTokens(const Vocabulary& vocabulary) : m_vocabulary(vocabulary) {
    for (size_t i = 0; i < vocabulary.texts.size(); ++i) {
        const TokenKind kind = vocabulary.kinds[i];
        if (kind == TokenKind::Control || kind == TokenKind::UserDefined || kind == TokenKind::Unknown)
            m_texts.add(vocabulary.texts[i], static_cast<TokenId>(i));
    }
    m_texts.finish();
}

AddedTokens::Match AddedTokens::longestAt(std::string_view text, size_t at, size_t trustedUpTo,
                                          bool readsEndOfMessage) const {
    Match best;
    m_texts.forEachAt(text.substr(at), [&](size_t length, TokenId id) {
        if (at + length <= trustedUpTo || !m_vocabulary.needsTrust(id) ||
            (readsEndOfMessage && m_vocabulary.endOfMessage == id))
            best = {id, length};
    });
    return best;
}

std::vector<Fragment> AddedTokens::split(std::string_view text, const Reading& reading) const {
    const auto trusted = reading.trusted;
    std::vector<Fragment> fragments;
    size_t gap = 0, range = 0;
    for (size_t at = 0; at < text.size();) {
        while (range < trusted.size() && trusted[range].to <= at)
            ++range;
        const size_t trustedUpTo = range < trusted.size() && trusted[range].from <= at ? trusted[range].to : at;
        const Match match = longestAt(text, at, trustedUpTo, reading.endOfMessage);
        if (match.length == 0) {
            ++at;
            continue;
        }
        const StripFlags strips = m_vocabulary.stripsOf(match.token);
        size_t gapEnd = at;
        while (strips.before && gapEnd > gap && isBlank(text[gapEnd - 1]))
            --gapEnd;
        if (gap < gapEnd) fragments.push_back({std::nullopt, gap, gapEnd});
        fragments.push_back({match.token, at, at + match.length});
        at += match.length;
        while (strips.after && at < text.size() && isBlank(text[at]))
            ++at;
        gap = at;
    }
    if (gap < text.size()) fragments.push_back({std::nullopt, gap, text.size()});
    return fragments;
}

} // namespace steelyard
