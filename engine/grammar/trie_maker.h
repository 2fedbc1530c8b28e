// Makes a vocabulary's tree on a thread of its own: of a large vocabulary it takes longer than others may wait for their next token.
//
// One per model, for its owner's thread. Destroying it waits for what it makes.
#pragma once

#include "engine/grammar/token_trie.h"

#include <atomic>
#include <functional>
#include <thread>

namespace steelyard::grammar {

class TrieMaker {
public:
    TrieMaker() = default;
    ~TrieMaker();
    TrieMaker(const TrieMaker&) = delete;
    TrieMaker& operator=(const TrieMaker&) = delete;

    // The tree; null while it is made, which begins with the first call. `ready` is called once, on the maker's thread, when the next
    // call will give it.
    std::shared_ptr<const TokenTrie> get(const std::shared_ptr<const Tokenizer>& tokenizer, const std::function<void()>& ready);

private:
    std::thread m_thread;
    std::atomic<bool> m_made = false;
    std::shared_ptr<const TokenTrie> m_trie; // of the maker's thread until it is made
};

} // namespace steelyard::grammar
