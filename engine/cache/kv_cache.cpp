#include "engine/cache/kv_cache.h"

#include <algorithm>
#include <cassert>

namespace steelyard {

namespace {

constexpr uint32_t kTokens = ops::kBlockTokens;

// The first position that a token at `position` can look at.
uint32_t windowStart(uint32_t window, uint32_t position) {
    return window > 0 && position + 1 > window ? position + 1 - window : 0;
}

} // namespace

KvCache::KvCache(CacheLayout layout, Buffer arena) : m_layout(std::move(layout)), m_arena(std::move(arena)) {
    for (const auto& group : m_layout.groups()) m_pools.emplace_back(group.blocks);
    for (uint32_t state = m_layout.states(); state > 0; --state) m_freeStates.push_back(state - 1);
}

Result<KvCache> KvCache::create(Device& device, CacheLayout layout) {
    auto arena = device.allocate(std::max<uint64_t>(layout.arenaBytes(), 256));
    if (!arena) return arena.error();
    return KvCache(std::move(layout), std::move(*arena));
}

bool KvCache::extend(CachedSequence& sequence, uint32_t newLength) {
    sequence.tables.resize(m_pools.size());
    const auto& groups = m_layout.groups();
    const bool needsState = m_layout.states() > 0 && !sequence.state;
    if (needsState && m_freeStates.empty()) return false;
    for (size_t group = 0; group < m_pools.size(); ++group) {
        const size_t held = sequence.tables[group].size(), blocks = groups[group].blocksFor(newLength);
        if (blocks > held && blocks - held > m_pools[group].freeBlocks()) return false;
    }
    for (size_t group = 0; group < m_pools.size(); ++group)
        while (sequence.tables[group].size() < groups[group].blocksFor(newLength)) sequence.tables[group].push_back(*m_pools[group].take());
    if (needsState) {
        sequence.state = m_freeStates.back();
        m_freeStates.pop_back();
    }
    return true;
}

void KvCache::commit(CachedSequence& sequence, uint32_t newLength) {
    sequence.length = newLength;
    for (size_t group = 0; group < m_pools.size(); ++group) {
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

bool KvCache::canResume(const CachedSequence& sequence, uint32_t length) const {
    if (length > sequence.length) return false;
    if (m_layout.states() > 0 && length > 0 && length != sequence.length) return false;
    for (size_t group = 0; group < sequence.tables.size(); ++group) {
        const auto& layout = m_layout.groups()[group];
        for (uint32_t index = windowStart(layout.window, length) / kTokens; index < layout.blocksFor(length); ++index)
            if (sequence.tables[group][index] < 0) return false;
    }
    return true;
}

void KvCache::truncate(CachedSequence& sequence, uint32_t length) {
    assert(canResume(sequence, length));
    for (size_t group = 0; group < sequence.tables.size(); ++group) {
        auto& table = sequence.tables[group];
        const size_t blocks = m_layout.groups()[group].blocksFor(length);
        while (table.size() > blocks) {
            if (table.back() >= 0) m_pools[group].release(table.back());
            table.pop_back();
        }
    }
    sequence.length = length;
}

void KvCache::release(CachedSequence& sequence) {
    for (size_t group = 0; group < sequence.tables.size(); ++group)
        for (const int32_t block : sequence.tables[group])
            if (block >= 0) m_pools[group].release(block);
    if (sequence.state) m_freeStates.push_back(*sequence.state);
    sequence = {};
}

uint64_t KvCache::bytesOf(const CachedSequence& sequence) const {
    uint64_t bytes = 0;
    for (size_t group = 0; group < sequence.tables.size(); ++group) {
        const auto& table = sequence.tables[group];
        const auto held = std::count_if(table.begin(), table.end(), [](int32_t block) { return block >= 0; });
        bytes += static_cast<uint64_t>(held) * m_layout.groups()[group].blockBytes;
    }
    return bytes + (sequence.state ? m_layout.stateBytes() : 0);
}

uint64_t KvCache::bytesHeld() const {
    uint64_t bytes = (m_layout.states() - m_freeStates.size()) * m_layout.stateBytes();
    for (size_t group = 0; group < m_pools.size(); ++group)
        bytes += uint64_t(m_pools[group].totalBlocks() - m_pools[group].freeBlocks()) * m_layout.groups()[group].blockBytes;
    return bytes;
}

} // namespace steelyard
