// The paged cache of keys and values on a device: one arena, a pool of blocks per group, and what each sequence holds.
//
// A sequence is the list of its token ids that are in the cache, with a block table per group. Blocks of a windowed group
// are given back once no later token can look at them. Knows nothing of models or requests. Used by the engine thread.
#pragma once

#include "engine/backend/backend.h"
#include "engine/cache/block_pool.h"
#include "engine/cache/cache_layout.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace steelyard {

// What one sequence holds. Empty by default; only KvCache changes it.
struct CachedSequence {
    std::vector<std::vector<int32_t>> tables; // [group][position / 32]; -1 where the window has passed
    uint32_t length = 0;                      // positions written
    std::optional<uint32_t> state;            // of recurrent layers, as it is after `length` positions
};

class KvCache {
public:
    static Result<KvCache> create(Device& device, CacheLayout layout);

    const CacheLayout& layout() const { return m_layout; }
    // Address of a group's block 0.
    uint64_t groupAddress(uint32_t group) const { return m_arena.address() + m_layout.groups()[group].arenaOffset; }
    // Address of the first state.
    uint64_t stateAddress() const { return m_arena.address() + m_layout.stateOffset(); }

    // Makes room for positions [length, newLength); false when the pool has not enough free blocks (then nothing changed).
    bool extend(CachedSequence& sequence, uint32_t newLength);
    // Declares that positions below newLength are written, and gives back what windows have passed.
    void commit(CachedSequence& sequence, uint32_t newLength);
    // True when the sequence can go on from `length` (at most its own): everything that a window needs is still there, and a
    // recurrent state, which cannot go back, stands at this length or starts again at 0.
    bool canResume(const CachedSequence& sequence, uint32_t length) const;
    // Forgets positions from `length` on; canResume(length) must be true.
    void truncate(CachedSequence& sequence, uint32_t length);
    // Gives everything back.
    void release(CachedSequence& sequence);

    uint64_t bytesOf(const CachedSequence& sequence) const;
    uint64_t bytesHeld() const;  // by all sequences, shared blocks once
    uint64_t arenaBytes() const { return m_arena.bytes(); }
    uint32_t freeBlocks(uint32_t group) const { return m_pools[group].freeBlocks(); }

private:
    KvCache(CacheLayout layout, Buffer arena);
    CacheLayout m_layout;
    Buffer m_arena;
    std::vector<BlockPool> m_pools; // one per group
    std::vector<uint32_t> m_freeStates;
};

} // namespace steelyard
