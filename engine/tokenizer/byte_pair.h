// Byte-pair encoding with merges: over bytes (GPT-2 and its heirs), or over characters with a visible blank and byte
// tokens for the rest (Gemma 4).
#pragma once

#include "engine/tokenizer/fragment_tokenizer.h"
#include "engine/tokenizer/pair_table.h"
#include "engine/tokenizer/pretokenizers.h"
#include "engine/tokenizer/text_table.h"

namespace steelyard {

class BytePairTokenizer final : public FragmentTokenizer {
public:
    enum class Alphabet { Bytes, Characters };
    static Result<std::shared_ptr<const Tokenizer>> fromFile(const GgufFile& file, const Pretokenizer& pretokenizer,
                                                             Alphabet alphabet);

    bool hasBlankPrefix() const override { return false; }

private:
    BytePairTokenizer(Vocabulary vocabulary, const Pretokenizer& pretokenizer, Alphabet alphabet);
    Result<void> readMerges(const std::vector<std::string>& merges);
    void encode(std::string_view text, bool begins, std::vector<TokenId>& ids) const override;
    void encodeWord(std::string_view word, std::vector<TokenId>& ids) const;
    std::string decode(TokenId id) const override;

    const Pretokenizer& m_pretokenizer;
    const Alphabet m_alphabet;
    std::vector<std::string>
        m_bytes;     // of normal tokens, as they stand in a text; what tokens cannot stand for is empty
    TextTable m_ids; // of m_bytes
    std::array<TokenId, 256> m_byteIds{};
    PairTable m_merges;
};

} // namespace steelyard
