#include "engine/tokenizer/fragment_tokenizer.h"

#include <algorithm>

namespace steelyard {

FragmentTokenizer::FragmentTokenizer(Vocabulary vocabulary)
    : m_vocabulary(std::move(vocabulary)), m_added(m_vocabulary) {
    m_special = m_vocabulary.special;
}

std::vector<TokenId> FragmentTokenizer::tokenizeReading(std::string_view text, const Reading& reading) const {
    std::vector<TokenId> ids;
    bool begins = true;
    for (const auto& fragment : m_added.split(text, reading)) {
        if (fragment.token) {
            ids.push_back(*fragment.token);
            begins = true;
        } else {
            encode(text.substr(fragment.from, fragment.to - fragment.from), begins, ids);
            begins = false;
        }
    }
    return ids;
}

std::string FragmentTokenizer::bytes(TokenId id, bool showControl) const {
    if (id < 0 || static_cast<size_t>(id) >= m_vocabulary.texts.size()) return {};
    const auto index = static_cast<size_t>(id);
    switch (m_vocabulary.kinds[index]) {
    case TokenKind::Unknown:
    case TokenKind::Control:
        return showControl ? m_vocabulary.texts[index] : std::string();
    case TokenKind::UserDefined:
        return m_vocabulary.texts[index];
    case TokenKind::Byte: {
        const auto byte = std::find(m_vocabulary.byteTokens.begin(), m_vocabulary.byteTokens.end(), id);
        return std::string(1, static_cast<char>(byte - m_vocabulary.byteTokens.begin()));
    }
    case TokenKind::Normal:
    case TokenKind::Unused:
        break;
    }
    return decode(id);
}

void FragmentTokenizer::encodeBytes(std::string_view bytes, std::vector<TokenId>& ids) const {
    for (const char c : bytes) {
        const TokenId byteToken = m_vocabulary.byteTokens[static_cast<unsigned char>(c)];
        if (byteToken >= 0)
            ids.push_back(byteToken);
        else if (m_special.unknown)
            ids.push_back(*m_special.unknown);
    }
}

Result<void> FragmentTokenizer::checkEveryTextHasTokens() {
    const auto& kinds = m_vocabulary.kinds;
    const auto unknown = std::find(kinds.begin(), kinds.end(), TokenKind::Unknown);
    if (!m_special.unknown && unknown != kinds.end()) m_special.unknown = static_cast<TokenId>(unknown - kinds.begin());
    const auto& bytes = m_vocabulary.byteTokens;
    const auto missing = std::find(bytes.begin(), bytes.end(), -1);
    if (m_special.unknown || missing == bytes.end()) return {};
    return Error{"The vocabulary has no token for byte " + std::to_string(missing - bytes.begin()) +
                 " and no unknown token (\"tokenizer.ggml.unknown_token_id\"), so some texts could not be read."};
}

} // namespace steelyard
