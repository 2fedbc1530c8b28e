// The paged cache of keys and values: an arena on each device that has layers, a pool of blocks per group, and what each sequence holds.
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
#include <utility>
#include <vector>

namespace steelyard {

constexpr uint64_t kLeastArena = 256; // bytes, where no layer keeps anything

class KvCache {
public:
    // One device per arena of the layout; they outlive the cache.
    static Result<KvCache> create(std::vector<Device*> devices, CacheLayout layout);
    static Result<KvCache> create(Device& device, CacheLayout layout) { return create(std::vector<Device*>{&device}, std::move(layout)); }

    const CacheLayout& layout() const { return m_layout; }
    // Address of a group's block 0.
    uint64_t groupAddress(uint32_t group) const { return arenaOf(group).address() + m_layout.groups()[group].arenaOffset; }
    // Address of the first state's part on a device.
    uint64_t stateAddress(uint32_t device) const { return m_arenas[device].address() + m_layout.arena(device).stateOffset; }

    // The pools of the groups, and behind them, where layers have states, that of the states.
    std::vector<BlockPool>& pools() { return m_pools; }
    const BlockPool& pool(size_t index) const { return m_pools[index]; }
    bool hasStates() const { return m_layout.states() > 0; }
    uint64_t blockBytes(size_t pool) const; // of a group's block, or of a state on all devices
    uint64_t blockBytes(size_t pool, uint32_t device) const; // what of it is on a device

    // Makes room for positions [length, newLength); when a pool has not enough free blocks, its number (then nothing changed).
    std::optional<size_t> extend(CachedSequence& sequence, uint32_t newLength);
    // Declares that positions below newLength are written, and gives back what windows have passed.
    void commit(CachedSequence& sequence, uint32_t newLength);
    // Gives back the blocks behind the sequence's length.
    void trim(CachedSequence& sequence);
    // Gives the sequence blocks of its own, and a state of its own, in place of those that it shares and will write to: the
    // last block of each group, if it is not full. `drop` lets go of something that takes from a pool, false when it cannot.
    // False when there is no room (then the sequence was released).
    bool makeOwn(CachedSequence& sequence, const std::function<bool(size_t)>& drop);
    // The same for all blocks from that of position `from` on.
    bool makeOwnFrom(CachedSequence& sequence, uint32_t from, const std::function<bool(size_t)>& drop);
    // A copy of the sequence's state, or nothing when none is free.
    std::optional<uint32_t> copyState(const CachedSequence& sequence);
    // Copies blocks (or states, as block n + 1) that follow each other from the devices and to them; the spans are whole blocks.
    Result<void> readBlocks(size_t pool, int32_t first, std::span<uint8_t> target) const;
    void writeBlocks(size_t pool, int32_t first, std::span<const uint8_t> source);
    // Waits until all work on the devices is done; the first error, if any.
    Result<void> synchronize();
    uint64_t losses() const; // of all devices (Device::losses)
    // Gives everything back.
    void release(CachedSequence& sequence);

    // Held by all sequences, shared blocks once: on all devices together, or on one.
    uint64_t bytesHeld() const;
    uint64_t bytesHeld(uint32_t device) const;
    uint64_t arenaBytes() const;
    uint64_t arenaBytes(uint32_t device) const { return m_arenas[device].bytes(); }

private:
    KvCache(std::vector<Device*> devices, CacheLayout layout, std::vector<Buffer> arenas);
    const Buffer& arenaOf(size_t group) const { return m_arenas[m_layout.groups()[group].device]; }
    uint64_t address(size_t pool, int32_t block, uint32_t device) const; // on a device that has a part of it
    void copyBlock(size_t pool, int32_t from, int32_t to);
    template <class Each>
    Result<void> eachPart(size_t pool, int32_t first, uint64_t bytes, Each&& each) const;
    // Puts a copy in place of a block that somebody else holds too; false when there is no room for one.
    bool ownBlock(size_t pool, int32_t& block, const std::function<bool(size_t)>& drop);

    std::vector<Device*> m_devices;
    CacheLayout m_layout;
    std::vector<Buffer> m_arenas; // of each device
    std::vector<BlockPool> m_pools;
};

// For one who keeps what was written to a cache: whether, since it was asked last, some of it may have been lost.
class LossWatch {
public:
    explicit LossWatch(const KvCache& cache) : m_cache(cache), m_seen(cache.losses()) {}
    bool lost() {
        const uint64_t losses = m_cache.losses();
        return std::exchange(m_seen, losses) != losses;
    }

private:
    const KvCache& m_cache;
    uint64_t m_seen;
};

} // namespace steelyard
