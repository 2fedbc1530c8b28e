// Finds tokens that are read as a whole before any cutting: control tokens where the text is trusted, user-defined
// tokens everywhere. At each place the longest one wins, from left to right. Some take the blanks beside them along.
#pragma once

#include "engine/tokenizer/text_trie.h"
#include "engine/tokenizer/vocabulary.h"

#include <span>

namespace steelyard {

// Bytes [from, to) of a text in which control tokens count.
struct TrustedRange {
    size_t from, to;
};

// Where added tokens are read in a text.
struct Reading {
    std::span<const TrustedRange> trusted; // sorted, apart from each other
    bool endOfMessage = false;             // that token everywhere, as the makers of its vocabulary do
};

// A token, or a stretch of text between tokens.
struct Fragment {
    std::optional<TokenId> token;
    size_t from, to;
};

class AddedTokens {
public:
    explicit AddedTokens(const Vocabulary& vocabulary); // which must outlive it, at its place

    // Cuts a text. Linear in the text.
    std::vector<Fragment> split(std::string_view text, const Reading& reading) const;

private:
    struct Match {
        TokenId token = -1;
        size_t length = 0;
    };
    // `trustedUpTo`: end of the trusted range in which `at` lies; `at` itself when it lies in none.
    Match longestAt(std::string_view text, size_t at, size_t trustedUpTo, bool readsEndOfMessage) const;

    const Vocabulary& m_vocabulary;
    TextTrie m_texts;
};

} // namespace steelyard
