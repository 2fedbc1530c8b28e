// The paged cache of keys and values on a device: one arena, a pool of blocks per group, and what each sequence holds.
//
// A sequence is a block table per group, and a state where layers are recurrent. Blocks of a windowed group are given back once
// no later token can look at them. Blocks may be shared: who writes into one must be its only holder from that entry on
// (makeOwn). Knows nothing of models or requests. Used by the engine thread.
#pragma once

#include "engine/backend/backend.h"
#include "engine/cache/block_pool.h"
#include "engine/cache/cache_layout.h"
#include "engine/cache/cached_sequence.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace steelyard {

class KvCache {
public:
    static Result<KvCache> create(Device& device, CacheLayout layout);

    const CacheLayout& layout() const { return m_layout; }
    // Address of a group's block 0.
    uint64_t groupAddress(uint32_t group) const { return m_arena.address() + m_layout.groups()[group].arenaOffset; }
    // Address of the first state.
    uint64_t stateAddress() const { return m_arena.address() + m_layout.stateOffset(); }

    // The pools of the groups, and behind them, where layers have states, that of the states.
    std::vector<BlockPool>& pools() { return m_pools; }
    bool hasStates() const { return m_layout.states() > 0; }
    uint64_t blockBytes(size_t pool) const; // of a group's block, or of a state

    // Makes room for positions [length, newLength); when a pool has not enough free blocks, its number (then nothing changed).
    std::optional<size_t> extend(CachedSequence& sequence, uint32_t newLength);
    // Declares that positions below newLength are written, and gives back what windows have passed.
    void commit(CachedSequence& sequence, uint32_t newLength);
    // Gives back the blocks behind the sequence's length.
    void trim(CachedSequence& sequence);
    // Gives the sequence blocks of its own, and a state of its own, in place of those that it shares and will write to: the
    // last block of each group, if it is not full. `drop` lets go of something that takes from a pool, false when it cannot.
    // False when there is no room (then the sequence was released).
    bool makeOwn(Device& device, CachedSequence& sequence, const std::function<bool(size_t)>& drop);
    // The same for all blocks from that of position `from` on.
    bool makeOwnFrom(Device& device, CachedSequence& sequence, uint32_t from, const std::function<bool(size_t)>& drop);
    // A copy of the sequence's state, or nothing when none is free.
    std::optional<uint32_t> copyState(Device& device, const CachedSequence& sequence);
    // Copies blocks (or states, as block n + 1) that follow each other from the device and to it; the spans are whole blocks.
    Result<void> readBlocks(Device& device, size_t pool, int32_t first, std::span<uint8_t> target) const;
    void writeBlocks(Device& device, size_t pool, int32_t first, std::span<const uint8_t> source);
    // Gives everything back.
    void release(CachedSequence& sequence);

    uint64_t bytesHeld() const;  // by all sequences, shared blocks once
    uint64_t arenaBytes() const { return m_arena.bytes(); }

private:
    KvCache(CacheLayout layout, Buffer arena);
    uint64_t address(size_t pool, int32_t block) const;
    void copyBlock(Device& device, size_t pool, int32_t from, int32_t to);
    // Puts a copy in place of a block that somebody else holds too; false when there is no room for one.
    bool ownBlock(Device& device, size_t pool, int32_t& block, const std::function<bool(size_t)>& drop);

    CacheLayout m_layout;
    Buffer m_arena;
    std::vector<BlockPool> m_pools;
};

} // namespace steelyard
