// Finds tokens that are read as a whole before any cutting: control tokens where the text is trusted, user-defined
// tokens everywhere. At each place the longest one wins, from left to right.
#pragma once

#include "engine/tokenizer/vocabulary.h"

#include <span>

namespace steelyard {

// Bytes [from, to) of a text in which control tokens count.
struct TrustedRange {
    size_t from, to;
};

// A token, or a stretch of text between tokens.
struct Fragment {
    std::optional<TokenId> token;
    size_t from, to;
};

class AddedTokens {
public:
    AddedTokens() = default;
    explicit AddedTokens(const Vocabulary& vocabulary);

    // Cuts a text; `trusted` is sorted and does not overlap. Linear in the text.
    std::vector<Fragment> split(std::string_view text, std::span<const TrustedRange> trusted) const;

private:
    struct Node {
        std::vector<std::pair<unsigned char, uint32_t>> next; // sorted by byte
        TokenId token = -1;
        bool needsTrust = false;
    };
    struct Match {
        TokenId token = -1;
        size_t length = 0;
    };
    void insert(std::string_view text, TokenId id, bool needsTrust);
    Match longestAt(std::string_view text, size_t at, size_t trustedUpTo) const;

    std::vector<Node> m_nodes;
    std::array<uint32_t, 256> m_first{}; // child of the root by byte; 0 = none
    bool m_stripsAfterControl = false;
    std::vector<bool> m_isControl; // by id, for stripping
};

} // namespace steelyard
