// A cache whose entries are numbers of the tokens that they sum up, instead of keys: whoever is given an entry can be told whether
// his tokens made it. Knows nothing of models.
#pragma once

#include "engine/backend/cpu/cpu_device.h"
#include "engine/cache/prefix_cache.h"
#include "engine/sampling/random.h"

#include <QtTest>

#include <memory>

namespace steelyard {

constexpr uint32_t kDim = 8; // of the one head of every layer

// A number for a beginning of a chat; different beginnings have different ones.
inline uint64_t extended(uint64_t prefix, int32_t token) { return mixedBits(prefix * 31 + static_cast<uint64_t>(token) + 1); }

inline std::vector<uint64_t> prefixNumbers(const std::vector<int32_t>& ids) {
    std::vector<uint64_t> numbers{1};
    for (const int32_t id : ids) numbers.push_back(extended(numbers.back(), id));
    return numbers; // [n] is that of the first n tokens
}

// A cache whose entries are such numbers instead of keys: entry e of a group is the number of the tokens that it sums up.
class NumberedCache {
public:
    NumberedCache(const std::vector<CacheLayer>& layers, CacheSize size)
        : m_device(openCpu(1, true)),
          m_cache(*KvCache::create(*m_device, *CacheLayout::make(layers, {TensorType::F32, TensorType::F32}, size))) {}

    KvCache& cache() { return m_cache; }
    Device& device() { return *m_device; }

    // What a step that reads positions [from, to) leaves.
    void write(const CachedSequence& sequence, const std::vector<uint64_t>& numbers, uint32_t from, uint32_t to) {
        forEachEntry(sequence, from, to, [&](uint64_t* entry, uint32_t end) { *entry = numbers[end]; });
        if (sequence.state) *state(sequence) = numbers[to];
    }
    // Whether everything that a token at `length` may look at is what these tokens gave.
    bool holds(const CachedSequence& sequence, const std::vector<uint64_t>& numbers, uint32_t length) {
        bool right = true;
        forEachEntry(sequence, 0, length, [&](uint64_t* entry, uint32_t end) { right = right && *entry == numbers[end]; });
        return right && (!sequence.state || *state(sequence) == numbers[length]);
    }

private:
    template <class Each>
    void forEachEntry(const CachedSequence& sequence, uint32_t from, uint32_t to, Each&& each) {
        for (uint32_t group = 0; group < m_cache.layout().groups().size(); ++group) {
            const auto& layout = m_cache.layout().groups()[group];
            for (uint32_t position = from; position < to; ++position) {
                if ((position + 1) % layout.ratio != 0 || position < (from == 0 ? windowStart(layout.window, to) : 0)) continue;
                const uint32_t entry = position / layout.ratio;
                const int32_t block = sequence.tables[group].at(entry / ops::kBlockTokens);
                if (block <= 0) qFatal("an entry has no block");
                const uint64_t address = m_cache.groupAddress(group) + static_cast<uint64_t>(block) * layout.blockBytes +
                                         ops::cacheRowOffset(ops::CacheType::F32, 0, entry, kDim);
                each(reinterpret_cast<uint64_t*>(address), position + 1);
            }
        }
    }
    uint64_t* state(const CachedSequence& sequence) {
        return reinterpret_cast<uint64_t*>(m_cache.stateAddress(0) + *sequence.state * m_cache.layout().stateBytes());
    }

    std::unique_ptr<Device> m_device;
    KvCache m_cache;
};

struct Kind {
    std::vector<CacheLayer> layers;
    CacheSize size;
};

inline Kind kindNamed(const QString& name) {
    const CacheLayer full{1, kDim, kDim, 0}, window{1, kDim, kDim, 40}, compressed{1, kDim, 0, 0, 4};
    if (name == "full") return {{full}, {640, 32, 1}};
    if (name == "windowed") return {{full, window}, {640, 32, 3}};
    if (name == "recurrent") return {{full}, {640, 32, 4, 64}};
    return {{window, compressed}, {640, 32, 4, 64}}; // compressed keys: a window, a state, and entries of four tokens
}

// One turn of a chat as the engine takes it; false when the cache has no room.
inline bool takeTurn(NumberedCache& numbered, PrefixCache& prefixes, uint64_t chat, std::vector<int32_t>& ids, uint32_t reply, uint64_t seed, uint32_t* reused) {
    auto& cache = numbered.cache();
    auto numbers = prefixNumbers(ids);
    auto reuse = prefixes.resume(chat, ids, false);
    auto& sequence = reuse.sequence;
    *reused = sequence.length;
    if (sequence.length >= ids.size()) qFatal("the last token must be read");
    if (sequence.length > 0 && !numbered.holds(sequence, numbers, sequence.length)) qFatal("a chat was given what other tokens made");
    const auto prompt = static_cast<uint32_t>(ids.size());
    while (sequence.length < prompt) {
        uint32_t to = std::min(prompt, sequence.length + 32);
        if (cache.hasStates() && sequence.length + 1 < prompt) to = std::min(to, prompt - 1);
        if (!prefixes.makeRoom(sequence, to)) {
            cache.release(sequence);
            return false;
        }
        numbered.write(sequence, numbers, sequence.length, to);
        if (prefixes.needsPoints() && to == (cache.hasStates() ? prompt - 1 : prompt)) prefixes.keepPoint({ids.data(), to}, sequence, false);
        cache.commit(sequence, to);
    }
    for (uint32_t i = 0; i < reply; ++i) {
        ids.push_back(static_cast<int32_t>(mixedBits(seed + i) % 3));
        numbers.push_back(extended(numbers.back(), ids.back()));
        if (i + 1 == reply) break; // sampled, not read
        if (!prefixes.makeRoom(sequence, static_cast<uint32_t>(ids.size()))) break;
        numbered.write(sequence, numbers, sequence.length, static_cast<uint32_t>(ids.size()));
        cache.commit(sequence, static_cast<uint32_t>(ids.size()));
    }
    if (!numbered.holds(sequence, numbers, sequence.length)) qFatal("a sequence lost what it wrote");
    std::vector<int32_t> read(ids.begin(), ids.begin() + sequence.length), unread(ids.begin() + sequence.length, ids.end());
    prefixes.keep(chat, std::move(read), std::move(unread), sequence, false);
    return true;
}

} // namespace steelyard
