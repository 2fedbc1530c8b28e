#include "engine/grammar/trie_maker.h"

namespace steelyard::grammar {

TrieMaker::~TrieMaker() {
    if (m_thread.joinable()) m_thread.join();
}

std::shared_ptr<const TokenTrie> TrieMaker::get(const std::shared_ptr<const Tokenizer>& tokenizer, const std::function<void()>& ready) {
    if (m_made) return m_trie;
    if (!m_thread.joinable())
        m_thread = std::thread([this, tokenizer, ready] {
            m_trie = TokenTrie::of(*tokenizer);
            m_made = true;
            if (ready) ready();
        });
    return nullptr;
}

} // namespace steelyard::grammar
