#include "engine/cache/kv_cache.h"

#include <algorithm>
#include <cassert>

namespace steelyard {

namespace {

constexpr uint32_t kTokens = ops::kBlockTokens;

} // namespace

KvCache::KvCache(CacheLayout layout, Buffer arena) : m_layout(std::move(layout)), m_arena(std::move(arena)) {
    for (const auto& group : m_layout.groups()) m_pools.emplace_back(group.blocks);
    if (hasStates()) m_pools.emplace_back(m_layout.states() + 1); // state n is block n + 1
}

Result<KvCache> KvCache::create(Device& device, CacheLayout layout) {
    auto arena = device.allocate(std::max<uint64_t>(layout.arenaBytes(), 256));
    if (!arena) return arena.error();
    return KvCache(std::move(layout), std::move(*arena));
}

std::optional<size_t> KvCache::extend(CachedSequence& sequence, uint32_t newLength) {
    const auto& groups = m_layout.groups();
    sequence.tables.resize(groups.size());
    const bool needsState = hasStates() && !sequence.state;
    if (needsState && m_pools.back().freeBlocks() == 0) return groups.size();
    for (size_t group = 0; group < groups.size(); ++group) {
        const size_t held = sequence.tables[group].size(), blocks = groups[group].blocksFor(newLength);
        if (blocks > held && blocks - held > m_pools[group].freeBlocks()) return group;
    }
    for (size_t group = 0; group < groups.size(); ++group)
        while (sequence.tables[group].size() < groups[group].blocksFor(newLength)) sequence.tables[group].push_back(*m_pools[group].take());
    if (needsState) sequence.state = static_cast<uint32_t>(*m_pools.back().take()) - 1;
    return std::nullopt;
}

void KvCache::commit(CachedSequence& sequence, uint32_t newLength) {
    sequence.length = newLength;
    for (size_t group = 0; group < m_layout.groups().size(); ++group) {
        const uint32_t window = m_layout.groups()[group].window;
        if (!window) continue;
        auto& table = sequence.tables[group];
        // The next token stands at position newLength; blocks wholly before its window are never read again.
        const uint32_t passed = windowStart(window, newLength) / kTokens;
        for (uint32_t index = 0; index < passed && index < table.size(); ++index) {
            if (table[index] < 0) continue;
            m_pools[group].release(table[index]);
            table[index] = -1;
        }
    }
}

void KvCache::trim(CachedSequence& sequence) {
    for (size_t group = 0; group < sequence.tables.size(); ++group) {
        auto& table = sequence.tables[group];
        const size_t blocks = m_layout.groups()[group].blocksFor(sequence.length);
        while (table.size() > blocks) {
            if (table.back() >= 0) m_pools[group].release(table.back());
            table.pop_back();
        }
    }
}

void KvCache::release(CachedSequence& sequence) {
    for (size_t group = 0; group < sequence.tables.size(); ++group)
        for (const int32_t block : sequence.tables[group])
            if (block >= 0) m_pools[group].release(block);
    if (sequence.state) m_pools.back().release(static_cast<int32_t>(*sequence.state) + 1);
    sequence = {};
}

uint64_t KvCache::blockBytes(size_t pool) const {
    return pool < m_layout.groups().size() ? m_layout.groups()[pool].blockBytes : m_layout.stateBytes();
}

uint64_t KvCache::address(size_t pool, int32_t block) const {
    if (pool < m_layout.groups().size()) return groupAddress(static_cast<uint32_t>(pool)) + static_cast<uint64_t>(block) * blockBytes(pool);
    return stateAddress() + static_cast<uint64_t>(block - 1) * blockBytes(pool);
}

void KvCache::copyBlock(Device& device, size_t pool, int32_t from, int32_t to) {
    device.run(ops::Copy{address(pool, from), address(pool, to), static_cast<uint32_t>(blockBytes(pool) / ops::kCopyUnit), 0});
}

bool KvCache::ownBlock(Device& device, size_t pool, int32_t& block, const std::function<bool(size_t)>& drop) {
    auto& blocks = m_pools[pool];
    // Dropping may well let go of the other holders.
    while (blocks.holders(block) > 1 && blocks.freeBlocks() == 0)
        if (!drop(pool)) return false;
    if (blocks.holders(block) == 1) return true;
    const int32_t copy = *blocks.take();
    copyBlock(device, pool, block, copy);
    blocks.release(block);
    block = copy;
    return true;
}

bool KvCache::makeOwn(Device& device, CachedSequence& sequence, const std::function<bool(size_t)>& drop) {
    bool room = true;
    for (size_t group = 0; group < sequence.tables.size() && room; ++group) {
        const uint32_t entries = sequence.length / m_layout.groups()[group].ratio;
        if (entries % kTokens != 0) room = ownBlock(device, group, sequence.tables[group][entries / kTokens], drop);
    }
    if (room && sequence.state) {
        auto state = static_cast<int32_t>(*sequence.state) + 1;
        room = ownBlock(device, m_layout.groups().size(), state, drop);
        sequence.state = static_cast<uint32_t>(state) - 1;
    }
    if (!room) release(sequence);
    return room;
}

bool KvCache::makeOwnFrom(Device& device, CachedSequence& sequence, uint32_t from, const std::function<bool(size_t)>& drop) {
    for (size_t group = 0; group < sequence.tables.size(); ++group)
        for (size_t index = from / m_layout.groups()[group].ratio / kTokens; index < sequence.tables[group].size(); ++index)
            if (sequence.tables[group][index] >= 0 && !ownBlock(device, group, sequence.tables[group][index], drop)) {
                release(sequence);
                return false;
            }
    return true;
}

std::optional<uint32_t> KvCache::copyState(Device& device, const CachedSequence& sequence) {
    const size_t pool = m_layout.groups().size();
    const auto copy = sequence.state ? m_pools[pool].take() : std::nullopt;
    if (!copy) return std::nullopt;
    copyBlock(device, pool, static_cast<int32_t>(*sequence.state) + 1, *copy);
    return static_cast<uint32_t>(*copy) - 1;
}

Result<void> KvCache::readBlocks(Device& device, size_t pool, int32_t first, std::span<uint8_t> target) const {
    return device.read(m_arena, address(pool, first) - m_arena.address(), target);
}

void KvCache::writeBlocks(Device& device, size_t pool, int32_t first, std::span<const uint8_t> source) {
    device.write(m_arena, address(pool, first) - m_arena.address(), source);
}

uint64_t KvCache::bytesHeld() const {
    uint64_t bytes = 0;
    for (size_t pool = 0; pool < m_pools.size(); ++pool)
        bytes += uint64_t(m_pools[pool].totalBlocks() - m_pools[pool].freeBlocks()) * blockBytes(pool);
    return bytes;
}

} // namespace steelyard
