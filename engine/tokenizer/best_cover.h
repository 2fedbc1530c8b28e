// The vocabulary of PLaMo 2 and 3: of all ways to cover a text with tokens the one with the best sum of scores, found from
// the end; of ways that are worth the same the longer token counts. A character that no token covers costs as much as a
// thousand points and is written as bytes. Nothing is normalized and no blank is added. Source: Preferred Networks' model
// files and the field's reader of them.
#pragma once

#include "engine/tokenizer/fragment_tokenizer.h"

namespace steelyard {

class BestCoverTokenizer final : public FragmentTokenizer {
public:
    static Result<std::shared_ptr<const Tokenizer>> fromFile(const GgufFile& file);

    bool hasBlankPrefix() const override { return false; }

private:
    explicit BestCoverTokenizer(Vocabulary vocabulary);
    void encode(std::string_view text, bool begins, std::vector<TokenId>& ids) const override;
    std::string decode(TokenId id) const override;

    std::vector<int64_t> m_costs; // of each token, whole ten-thousandths
    TextTrie m_tokens;
};

} // namespace steelyard
