// What all tokenizers with a vocabulary share: added tokens are cut out first, the texts between them are encoded by
// the derived class.
#pragma once

#include "engine/tokenizer/added_tokens.h"

namespace steelyard {

class FragmentTokenizer : public Tokenizer {
public:
    size_t vocabularySize() const override { return m_vocabulary.texts.size(); }
    bool isControl(TokenId id) const override {
        return id >= 0 && static_cast<size_t>(id) < m_vocabulary.texts.size() && m_vocabulary.isControl(id);
    }
    std::string bytes(TokenId id, bool showControl) const override;

protected:
    explicit FragmentTokenizer(Vocabulary vocabulary);
    std::vector<TokenId> tokenizeReading(std::string_view text, const Reading& reading) const override;

    // Appends the ids of a text without added tokens. `begins`: it stands at the start or behind a control token.
    virtual void encode(std::string_view text, bool begins, std::vector<TokenId>& ids) const = 0;
    // The bytes of a normal token.
    virtual std::string decode(TokenId id) const = 0;
    // Appends the byte tokens of bytes that no other token has, or the unknown token.
    void encodeBytes(std::string_view bytes, std::vector<TokenId>& ids) const;
    // An error when some text could be written with no token at all: no unknown token and not all byte tokens.
    Result<void> checkEveryTextHasTokens();

    Vocabulary m_vocabulary;

private:
    AddedTokens m_added;
};

} // namespace steelyard
