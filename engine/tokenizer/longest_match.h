// The vocabulary of RWKV models: at each place the longest token wins, whatever bytes it has. Texts stand in the file
// with escapes (\\n, \\x80).
#pragma once

#include "engine/tokenizer/fragment_tokenizer.h"

namespace steelyard {

class LongestMatchTokenizer final : public FragmentTokenizer {
public:
    static Result<std::shared_ptr<const Tokenizer>> fromFile(const GgufFile& file);

    bool hasBlankPrefix() const override { return false; }

private:
    LongestMatchTokenizer(Vocabulary vocabulary, std::vector<std::string> bytes);
    void encode(std::string_view text, bool begins, std::vector<TokenId>& ids) const override;
    std::string decode(TokenId id) const override;

    const std::vector<std::string> m_bytes; // of each token
    TextTrie m_tokens;
};

} // namespace steelyard
