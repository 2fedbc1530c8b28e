#include "engine/tokenizer/sentence_piece.h"

#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/merge_symbols.h"
#include "engine/tokenizer/visible_blank.h"

#include <algorithm>

namespace steelyard {

SentencePieceTokenizer::SentencePieceTokenizer(Vocabulary vocabulary) : FragmentTokenizer(std::move(vocabulary)) {
    m_blankPrefix = m_vocabulary.addSpacePrefix.value_or(true);
    m_special.addBos = m_vocabulary.addBos.value_or(true) && m_special.bos.has_value();
    m_ids = TextTable(m_vocabulary.texts.size());
    for (size_t id = 0; id < m_vocabulary.texts.size(); ++id) {
        // Control tokens and byte tokens never come out of plain text by their spelling.
        const TokenKind kind = m_vocabulary.kinds[id];
        const std::string& text = m_vocabulary.texts[id];
        if ((kind != TokenKind::Normal && kind != TokenKind::UserDefined) || text.empty()) continue;
        m_ids.add(text, static_cast<TokenId>(id)); // of equal texts the first wins
        m_longestText = std::max(m_longestText, text.size());
    }
}

Result<std::shared_ptr<const Tokenizer>> SentencePieceTokenizer::fromFile(const GgufFile& file) {
    auto vocabulary = Vocabulary::fromFile(file);
    if (!vocabulary) return vocabulary.error();
    if (vocabulary->scores.empty()) return Error{"The vocabulary has no scores: \"tokenizer.ggml.scores\" is missing."};
    std::shared_ptr<SentencePieceTokenizer> tokenizer(new SentencePieceTokenizer(std::move(vocabulary).value()));
    if (auto done = tokenizer->checkEveryTextHasTokens(); !done) return done.error();
    return std::shared_ptr<const Tokenizer>(std::move(tokenizer));
}

void SentencePieceTokenizer::encode(std::string_view text, bool begins, std::vector<TokenId>& ids) const {
    std::string visible = begins && m_blankPrefix ? std::string(kVisibleBlank) : std::string();
    visible += withVisibleBlanks(text);
    const std::string_view whole = visible;
    std::vector<Symbol> symbols;
    symbols.reserve(whole.size());
    for (size_t i = 0; i < whole.size();) {
        const size_t length = std::max<size_t>(utf8Length(whole.substr(i)), 1);
        symbols.push_back({i, i + length, m_ids(whole.substr(i, length))});
        i += length;
    }
    mergeSymbols(symbols, [&](const Symbol& left, const Symbol& right) -> std::optional<PairMerge> {
        if (right.to - left.from > m_longestText) return std::nullopt;
        const TokenId id = m_ids(whole.substr(left.from, right.to - left.from));
        if (id < 0) return std::nullopt;
        return PairMerge{-m_vocabulary.scores[static_cast<size_t>(id)], id};
    });
    for (const Symbol& symbol : symbols) {
        if (symbol.id >= 0)
            ids.push_back(symbol.id);
        else
            encodeBytes(whole.substr(symbol.from, symbol.to - symbol.from), ids);
    }
}

std::string SentencePieceTokenizer::decode(TokenId id) const {
    return withPlainBlanks(m_vocabulary.texts[static_cast<size_t>(id)]);
}

} // namespace steelyard
