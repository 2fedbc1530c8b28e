// What stands between "<dna>" and "</dna>" in the vocabularies of genome models: words of six bases, a token each, over a
// vocabulary of byte pairs for everything else. In the file the text of such a token ends with U+E000, since "CCCCCC" may
// be a token of ordinary text too. Knows nothing of byte pairs.
#pragma once

#include "engine/tokenizer/text_table.h"
#include "engine/tokenizer/vocabulary.h"

#include <functional>
#include <string>

namespace steelyard {

class DnaWords {
public:
    // Nothing where the vocabulary lacks the tags or the token for what is no base; its texts outlive this.
    static std::optional<DnaWords> of(const Vocabulary& vocabulary);

    // Appends the ids of a text; `plain` appends those of what stands outside the tags.
    void encode(std::string_view text, const std::function<void(std::string_view)>& plain, std::vector<TokenId>& ids) const;

    // The text of a token without the mark.
    static std::string_view withoutMark(std::string_view text);

private:
    DnaWords(TokenId open, TokenId close, TokenId other, size_t count) : m_open(open), m_close(close), m_other(other), m_words(count) {}
    void encodeBases(std::string_view bases, std::vector<TokenId>& ids) const;

    TokenId m_open, m_close, m_other;
    TextTable m_words;
};

} // namespace steelyard
