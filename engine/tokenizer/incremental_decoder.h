// Turns a stream of token ids into text that never holds half a character: bytes wait until their character is
// complete; what is still broken at the end becomes U+FFFD.
#pragma once

#include "engine/tokenizer/tokenizer.h"

namespace steelyard {

class IncrementalDecoder {
public:
    // `atStart`: the stream begins a text, so that a blank prefix is taken away (false for a reply after a prompt).
    IncrementalDecoder(std::shared_ptr<const Tokenizer> tokenizer, bool atStart);

    // The text that became complete with this id; often empty.
    std::string push(TokenId id);

    // What is left, with broken bytes replaced.
    std::string finish();

private:
    std::shared_ptr<const Tokenizer> m_tokenizer;
    std::string m_pending;
    bool m_atStart;
};

} // namespace steelyard
