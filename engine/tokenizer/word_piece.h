// WordPiece, the kind of vocabulary that BERT and most embedding models have: words are cut at blanks and punctuation,
// then into the longest pieces from left to right; a word that cannot be cut is unknown as a whole.
#pragma once

#include "engine/tokenizer/fragment_tokenizer.h"

namespace steelyard {

class WordPieceTokenizer final : public FragmentTokenizer {
public:
    static Result<std::shared_ptr<const Tokenizer>> fromFile(const GgufFile& file);

    bool hasBlankPrefix() const override { return true; }

private:
    WordPieceTokenizer(Vocabulary vocabulary, bool lowerCases, bool stripsAccents);
    void encode(std::string_view text, bool begins, std::vector<TokenId>& ids) const override;
    void encodeWord(const std::string& word, std::vector<TokenId>& ids) const;
    std::string decode(TokenId id) const override;

    const bool m_lowerCases, m_stripsAccents;
    TextTrie m_pieces; // a piece that begins a word begins with the visible blank
};

} // namespace steelyard
