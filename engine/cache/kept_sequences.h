// The caches that finished replies leave behind, so that a chat's next turn reads only what is new.
//
// One entry per chat: the token ids that are in the cache, and their blocks. Entries are dropped oldest first when the pool
// runs out. An entry is only ever used for the chat that left it, and only as far as its ids are equal token for token.
#pragma once

#include "engine/cache/kv_cache.h"

#include <cstdint>
#include <list>
#include <optional>
#include <vector>

namespace steelyard {

struct KeptSequence {
    uint64_t chat = 0;
    std::vector<int32_t> ids; // exactly sequence.length of them
    CachedSequence sequence;
    std::vector<int32_t> unread = {}; // sampled after them, not in the cache yet
    bool longFactors = false;         // of the rotation of its keys
};

class KeptSequences {
public:
    // Takes a chat's entry out, if there is one.
    std::optional<KeptSequence> take(uint64_t chat);
    // A chat's entry, or nullptr.
    const KeptSequence* find(uint64_t chat) const;
    // Keeps an entry as the newest; one that the chat had before is released.
    void keep(KvCache& cache, KeptSequence entry);
    // Releases the oldest entry; false when there is none.
    bool dropOldest(KvCache& cache);
    // Releases a chat's entry; false when there is none.
    bool forget(KvCache& cache, uint64_t chat);

    uint64_t bytes(const KvCache& cache) const;
    bool empty() const { return m_entries.empty(); }

private:
    std::list<KeptSequence> m_entries; // oldest first
};

// How many ids two sequences share from the start.
uint32_t commonPrefix(const std::vector<int32_t>& a, const std::vector<int32_t>& b);

} // namespace steelyard
