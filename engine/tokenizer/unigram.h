// SentencePiece's unigram kind (T5 and many embedding models): of all ways to cut a text into pieces the one with the
// best sum of scores, found in one pass. The text is normalized first by the map in the file.
#pragma once

#include "engine/tokenizer/fragment_tokenizer.h"
#include "engine/tokenizer/precompiled_map.h"

namespace steelyard {

class UnigramTokenizer final : public FragmentTokenizer {
public:
    static Result<std::shared_ptr<const Tokenizer>> fromFile(const GgufFile& file);

    bool hasBlankPrefix() const override { return m_blankPrefix && !m_blankSuffix; }

private:
    explicit UnigramTokenizer(Vocabulary vocabulary);
    Result<void> readOptions(const GgufFile& file);
    void encode(std::string_view text, bool begins, std::vector<TokenId>& ids) const override;
    std::string decode(TokenId id) const override;

    // The text with replacements made, blanks visible and, where wanted, runs of them reduced to one.
    std::string normalized(std::string_view text) const;
    // What stands for the start of a text: a replacement, or its first character.
    PrecompiledMap::Replacement normalizedPrefix(std::string_view text) const;

    struct Step {
        double score;
        size_t from;
        TokenId id; // -1 = unknown
    };
    // The best way to each byte of a text.
    std::vector<Step> bestSteps(std::string_view text) const;

    bool m_blankPrefix, m_blankSuffix = false, m_reducesBlanks = false, m_hasBytes = false;
    double m_unknownScore = 0;
    PrecompiledMap m_map;
    TextTrie m_pieces;
};

} // namespace steelyard
