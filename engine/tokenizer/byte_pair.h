// Byte-pair encoding with merges: over bytes (GPT-2 and its heirs), or over characters with byte tokens for the rest
// (Gemma 4).
#pragma once

#include "engine/tokenizer/dna_words.h"
#include "engine/tokenizer/fragment_tokenizer.h"
#include "engine/tokenizer/pair_table.h"
#include "engine/tokenizer/pretokenizers.h"
#include "engine/tokenizer/text_table.h"

namespace steelyard {

class BytePairTokenizer final : public FragmentTokenizer {
public:
    // `readsDna`: what the vocabulary has for genomes is read between its tags.
    static Result<std::shared_ptr<const Tokenizer>> fromFile(const GgufFile& file, const Pretokenizer& pretokenizer, bool readsDna = false);

    bool hasBlankPrefix() const override { return false; }

private:
    BytePairTokenizer(Vocabulary vocabulary, const Pretokenizer& pretokenizer, bool lowerCases);
    Result<void> readMerges(const std::vector<std::string>& merges);
    void encode(std::string_view text, bool begins, std::vector<TokenId>& ids) const override;
    void encodePlain(std::string_view text, std::vector<TokenId>& ids) const;
    void readDna();
    void encodeWord(std::string_view word, std::vector<TokenId>& ids) const;
    void mergeById(std::string_view word, std::vector<Symbol>& symbols) const;
    std::string decode(TokenId id) const override;

    const Pretokenizer& m_pretokenizer;
    const bool m_lowerCases;
    std::vector<std::string> m_bytes; // of normal tokens, as they stand in a text; empty where none stand for them
    TextTable m_ids;                  // of m_bytes
    std::array<TokenId, 256> m_byteIds{};
    PairTable m_merges;
    std::optional<DnaWords> m_dna;
    bool m_hasMerges = false;
    size_t m_longestText = 0; // in bytes
};

} // namespace steelyard
