// What finished turns leave in the cache, so that the next turn, a branch or another chat that begins alike reads only what is
// new.
//
// A prefix tree over the paged cache of one loaded model (so weights, cache types and context are the same for all), and for
// each chat the ids of its last turn. Reuse is exact: the tree compares every token. Used by the engine thread.
#pragma once

#include "engine/cache/kv_cache.h"
#include "engine/cache/prefix_tree.h"

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace steelyard {

class PrefixCache {
public:
    // The cache outlives it.
    explicit PrefixCache(KvCache& cache);

    // A sequence to go on from with as much of a prompt as is there, at most all but its last token. `why` says why the rest
    // has to be read: "first turn", "model reloaded", "edited message", "evicted", "window moved", "recurrent state", "rope factors"; empty when the
    // rest is new. `longFactors` keeps apart keys of different rotations.
    struct Reuse {
        CachedSequence sequence;
        std::string why;
    };
    Reuse resume(uint64_t chat, const std::vector<int32_t>& ids, bool longFactors);

    // extend(), letting go of what was used least recently as long as there is no room; false when there never is.
    bool makeRoom(CachedSequence& sequence, uint32_t length);

    // Lets go of the least recently used thing that takes from a pool; false when there is none.
    bool drop(size_t pool) { return m_tree.drop(pool); }

    // Whether a turn should call keepPoint(): in models whose sequences can go on only from some places.
    bool needsPoints() const { return m_needsPoints; }
    // Remembers the place where a running sequence stands, `ids` being all its tokens so far.
    void keepPoint(std::span<const int32_t> ids, const CachedSequence& sequence, bool longFactors);
    // Remembers how far a sequence came that has to give its place back. Takes the sequence.
    uint32_t park(std::span<const int32_t> ids, CachedSequence& sequence, bool longFactors);
    // Remembers a finished turn; `unread` are tokens sampled behind `ids`. Takes the sequence.
    void keep(uint64_t chat, std::vector<int32_t> ids, std::vector<int32_t> unread, CachedSequence& sequence, bool longFactors);
    // Forgets a chat and what only it needs.
    void forget(uint64_t chat);

    // The chats whose last turns are known.
    std::vector<uint64_t> chats() const;
    // These chats had turns in the cache of a load before this one.
    void hadTurns(std::unordered_set<uint64_t> chats) { m_lost = std::move(chats); }

    // The ids of a chat's last turn, with the unread ones behind them, or null.
    const std::vector<int32_t>* turnOf(uint64_t chat) const;
    // Bytes on a device that no open chat needs: kept in case that something begins alike.
    uint64_t idleBytes(uint32_t device = 0) const;

private:
    struct Turn {
        std::vector<int32_t> ids;
        uint32_t read = 0; // how many of them were in the cache
        bool longFactors = false;
    };
    std::string reasonFor(uint64_t chat, std::span<const int32_t> ids, bool longFactors, const PrefixMatch& match) const;

    KvCache& m_cache;
    bool m_needsPoints;
    PrefixTree m_tree;
    std::unordered_map<uint64_t, Turn> m_turns;
    std::unordered_set<uint64_t> m_lost;
};

} // namespace steelyard
