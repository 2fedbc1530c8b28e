// Which tokens may come next so that the reply stays a text of its grammar, exactly, across the borders of tokens and characters.
//
// A token may come when all its bytes go on a text of the grammar; the tokens that end a reply may come when the text so far is one.
// accept() alone moves the matcher. A copy is cheap: it shares what was computed, and is for looking ahead while its original waits.
// One thread at a time.
#pragma once

#include "engine/grammar/grammar.h"
#include "engine/grammar/token_trie.h"
#include "engine/grammar/walker.h"

#include <span>
#include <vector>

namespace steelyard::grammar {

class Matcher {
public:
    Matcher(Grammar grammar, std::shared_ptr<const TokenTrie> trie);
    Matcher(const Matcher& original) : m_shared(original.m_shared), m_place(original.m_place), m_isCopy(true) {}
    Matcher(Matcher&&) = default;
    Matcher& operator=(const Matcher&) = delete;
    Matcher& operator=(Matcher&&) = default;
    ~Matcher() = default;

    // Bit id % 64 of word id / 64 is set for the tokens that may come; valid until the next call. None is set when problem() says why.
    std::span<const uint64_t> mask();
    bool allows(TokenId token);
    // False when the token, or the text, may not come; then nothing changed.
    bool accept(TokenId token);
    bool acceptText(std::string_view bytes);
    // The text so far is one of the grammar.
    bool canEnd() const { return m_shared->walker.canEnd(m_place); }

    // Why no token may come although the reply is not over; empty otherwise.
    std::string problem() const;

private:
    struct Shared {
        Shared(Grammar grammar, std::shared_ptr<const TokenTrie> vocabulary)
            : trie(std::move(vocabulary)), walker(std::move(grammar)), path(trie->deepest() + 2) {}

        std::shared_ptr<const TokenTrie> trie;
        Walker walker;
        std::unordered_map<Walker::Place, std::vector<uint64_t>> masks;
        std::vector<Walker::Place> path; // of the walk through the vocabulary
        bool isStuck = false;
    };

    Walker::Place after(Walker::Place place, std::string_view bytes);
    std::vector<uint64_t> computed();

    std::shared_ptr<Shared> m_shared;
    Walker::Place m_place;
    bool m_isCopy = false; // what it forgot its original would miss
};

} // namespace steelyard::grammar
