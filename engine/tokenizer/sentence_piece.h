// SentencePiece's byte-pair kind: neighbouring pieces merge while their joint text is in the vocabulary, the best score
// first; characters that are no token become byte tokens.
#pragma once

#include "engine/tokenizer/fragment_tokenizer.h"
#include "engine/tokenizer/text_table.h"

namespace steelyard {

class SentencePieceTokenizer final : public FragmentTokenizer {
public:
    static Result<std::shared_ptr<const Tokenizer>> fromFile(const GgufFile& file);

    bool hasBlankPrefix() const override { return m_blankPrefix; }

private:
    explicit SentencePieceTokenizer(Vocabulary vocabulary);
    void encode(std::string_view text, bool begins, std::vector<TokenId>& ids) const override;
    std::string decode(TokenId id) const override;

    bool m_blankPrefix;
    size_t m_longestText = 0; // in bytes
    TextTable m_ids;          // of the vocabulary's texts
};

} // namespace steelyard
