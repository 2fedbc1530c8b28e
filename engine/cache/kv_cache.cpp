#include "engine/cache/kv_cache.h"

#include <algorithm>
#include <cassert>

namespace steelyard {

namespace {

constexpr uint32_t kTokens = ops::kBlockTokens;

} // namespace

KvCache::KvCache(std::vector<Device*> devices, CacheLayout layout, std::vector<Buffer> arenas)
    : m_devices(std::move(devices)), m_layout(std::move(layout)), m_arenas(std::move(arenas)) {
    for (const auto& group : m_layout.groups()) m_pools.emplace_back(group.blocks);
    if (hasStates()) m_pools.emplace_back(m_layout.states() + 1); // state n is block n + 1
}

Result<KvCache> KvCache::create(std::vector<Device*> devices, CacheLayout layout) {
    assert(devices.size() >= layout.devices());
    std::vector<Buffer> arenas;
    for (size_t device = 0; device < devices.size(); ++device) {
        const uint64_t bytes = device < layout.devices() ? layout.arena(static_cast<uint32_t>(device)).bytes : 0;
        auto arena = devices[device]->allocate(std::max<uint64_t>(bytes, kLeastArena));
        if (!arena) return arena.error();
        arenas.push_back(std::move(*arena));
    }
    return KvCache(std::move(devices), std::move(layout), std::move(arenas));
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

uint64_t KvCache::blockBytes(size_t pool, uint32_t device) const {
    if (pool < m_layout.groups().size()) return m_layout.groups()[pool].device == device ? blockBytes(pool) : 0;
    return device < m_layout.devices() ? m_layout.arena(device).stateBytes : 0;
}

uint64_t KvCache::address(size_t pool, int32_t block, uint32_t device) const {
    if (pool < m_layout.groups().size()) return groupAddress(static_cast<uint32_t>(pool)) + static_cast<uint64_t>(block) * blockBytes(pool);
    return stateAddress(device) + static_cast<uint64_t>(block - 1) * blockBytes(pool, device);
}

void KvCache::copyBlock(size_t pool, int32_t from, int32_t to) {
    for (uint32_t device = 0; device < m_layout.devices(); ++device)
        if (const uint64_t bytes = blockBytes(pool, device); bytes > 0)
            m_devices[device]->run(ops::Copy{address(pool, from, device), address(pool, to, device), static_cast<uint32_t>(bytes / ops::kCopyUnit), 0});
}

bool KvCache::ownBlock(size_t pool, int32_t& block, const std::function<bool(size_t)>& drop) {
    auto& blocks = m_pools[pool];
    // Dropping may well let go of the other holders.
    while (blocks.holders(block) > 1 && blocks.freeBlocks() == 0)
        if (!drop(pool)) return false;
    if (blocks.holders(block) == 1) return true;
    const int32_t copy = *blocks.take();
    copyBlock(pool, block, copy);
    blocks.release(block);
    block = copy;
    return true;
}

bool KvCache::makeOwn(CachedSequence& sequence, const std::function<bool(size_t)>& drop) {
    bool room = true;
    for (size_t group = 0; group < sequence.tables.size() && room; ++group) {
        const uint32_t entries = sequence.length / m_layout.groups()[group].ratio;
        if (entries % kTokens != 0) room = ownBlock(group, sequence.tables[group][entries / kTokens], drop);
    }
    if (room && sequence.state) {
        auto state = static_cast<int32_t>(*sequence.state) + 1;
        room = ownBlock(m_layout.groups().size(), state, drop);
        sequence.state = static_cast<uint32_t>(state) - 1;
    }
    if (!room) release(sequence);
    return room;
}

bool KvCache::makeOwnFrom(CachedSequence& sequence, uint32_t from, const std::function<bool(size_t)>& drop) {
    for (size_t group = 0; group < sequence.tables.size(); ++group)
        for (size_t index = from / m_layout.groups()[group].ratio / kTokens; index < sequence.tables[group].size(); ++index)
            if (sequence.tables[group][index] >= 0 && !ownBlock(group, sequence.tables[group][index], drop)) {
                release(sequence);
                return false;
            }
    return true;
}

std::optional<uint32_t> KvCache::copyState(const CachedSequence& sequence) {
    const size_t pool = m_layout.groups().size();
    const auto copy = sequence.state ? m_pools[pool].take() : std::nullopt;
    if (!copy) return std::nullopt;
    copyBlock(pool, static_cast<int32_t>(*sequence.state) + 1, *copy);
    return static_cast<uint32_t>(*copy) - 1;
}

// Calls each(device, offset in its arena, bytes) for the parts of blocks, in the order in which they lie in a copy of them.
template <class Each>
Result<void> KvCache::eachPart(size_t pool, int32_t first, uint64_t bytes, Each&& each) const {
    const auto offsetOf = [&](int32_t block, uint32_t device) { return address(pool, block, device) - m_arenas[device].address(); };
    if (pool < m_layout.groups().size()) {
        const uint32_t device = m_layout.groups()[pool].device;
        return each(device, offsetOf(first, device), bytes);
    }
    for (uint64_t done = 0; done < bytes; done += blockBytes(pool), ++first)
        for (uint32_t device = 0; device < m_layout.devices(); ++device)
            if (const uint64_t part = blockBytes(pool, device); part > 0)
                if (auto result = each(device, offsetOf(first, device), part); !result) return result;
    return {};
}

Result<void> KvCache::readBlocks(size_t pool, int32_t first, std::span<uint8_t> target) const {
    return eachPart(pool, first, target.size(), [&](uint32_t device, uint64_t offset, uint64_t bytes) {
        const auto part = target.subspan(0, bytes);
        target = target.subspan(bytes);
        return m_devices[device]->read(m_arenas[device], offset, part);
    });
}

void KvCache::writeBlocks(size_t pool, int32_t first, std::span<const uint8_t> source) {
    (void)eachPart(pool, first, source.size(), [&](uint32_t device, uint64_t offset, uint64_t bytes) {
        m_devices[device]->write(m_arenas[device], offset, source.subspan(0, bytes));
        source = source.subspan(bytes);
        return Result<void>();
    }).ok();
}

Result<void> KvCache::synchronize() {
    for (Device* device : m_devices)
        if (auto done = device->synchronize(); !done) return done;
    return {};
}

uint64_t KvCache::losses() const {
    uint64_t losses = 0;
    for (const Device* device : m_devices) losses += device->losses();
    return losses;
}

uint64_t KvCache::bytesHeld() const {
    uint64_t bytes = 0;
    for (uint32_t device = 0; device < m_devices.size(); ++device) bytes += bytesHeld(device);
    return bytes;
}

uint64_t KvCache::bytesHeld(uint32_t device) const {
    uint64_t bytes = 0;
    for (size_t pool = 0; pool < m_pools.size(); ++pool)
        bytes += uint64_t(m_pools[pool].totalBlocks() - m_pools[pool].freeBlocks()) * blockBytes(pool, device);
    return bytes;
}

uint64_t KvCache::arenaBytes() const {
    uint64_t bytes = 0;
    for (const auto& arena : m_arenas) bytes += arena.bytes();
    return bytes;
}

} // namespace steelyard
