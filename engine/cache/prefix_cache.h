// What finished turns leave in the cache, so that the next turn, a branch or another chat that begins alike reads only what is
// new.
//
// A prefix tree over the paged cache of one loaded model (so weights, cache types and context are the same for all), and for
// each chat the ids of its last turn. Reuse is exact: the tree compares every token, and where a device lost work nothing of it is
// given out. Used by the engine thread.
#pragma once

#include "engine/cache/kv_cache.h"
#include "engine/cache/page_image.h"
#include "engine/cache/prefix_tree.h"

#include <functional>
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
        uint32_t fromDisk = 0, fromMemory = 0; // tokens of it that bringBack() put there for this chat
    };
    Reuse resume(uint64_t chat, const std::vector<int32_t>& ids, bool longFactors);

    // extend(), letting go of what was used least recently as long as there is no room; false when there never is.
    bool makeRoom(CachedSequence& sequence, uint32_t length);

    // Lets go of the least recently used thing that takes from a pool; false when there is none.
    bool drop(size_t pool) { return dropOne(pool); }

    // Whether a turn should call keepPoint(): in models whose sequences can go on only from some places.
    bool needsPoints() const { return m_needsPoints; }
    // Remembers the place where a running sequence stands, `ids` being all its tokens so far.
    void keepPoint(std::span<const int32_t> ids, const CachedSequence& sequence, bool longFactors);
    // Remembers how far a sequence came that has to give its place back. Takes the sequence.
    uint32_t park(std::span<const int32_t> ids, CachedSequence& sequence, bool longFactors);
    // Remembers a finished turn; `unread` are tokens sampled behind `ids`. Takes the sequence.
    void keep(uint64_t chat, std::vector<int32_t> ids, std::vector<int32_t> unread, CachedSequence& sequence, bool longFactors);
    // No longer a chat's, but kept for whoever begins alike.
    void letGo(uint64_t chat);
    // Forgets a chat and what only it needs.
    void forget(uint64_t chat);

    // The chats whose last turns are known.
    std::vector<uint64_t> chats() const;
    // These chats had turns in the cache of a load before this one.
    void hadTurns(std::unordered_set<uint64_t> chats) { m_lost = std::move(chats); }

    // The ids of a chat's last turn, with the unread ones behind them, or null.
    const std::vector<int32_t>* turnOf(uint64_t chat) const;
    // --- For whoever keeps turns elsewhere (warm_chats.h).
    // `leaving` is called before a chat loses pages that holdTurn() has not given since its last turn; `lastResort` when there is nothing
    // to drop any more: it gives back what it holds, or returns false.
    void setLeaving(std::function<void(uint64_t chat)> leaving, std::function<bool()> lastResort) {
        m_leaving = std::move(leaving);
        m_lastResort = std::move(lastResort);
    }
    // A chat's last turn as far as it can be gone on from: its ids and shape, and its pages, which the caller gives back. Nothing
    // when little of it is there.
    struct KeptTurn {
        PageImage image; // without bytes
        HeldPages pages;
    };
    std::optional<KeptTurn> holdTurn(uint64_t chat);
    // Chats with turns that holdTurn() has not given, used longest ago first.
    std::vector<uint64_t> unsavedChats() const;
    // How many of a prompt's tokens, all but the last, resume() would give.
    uint32_t reusable(const std::vector<int32_t>& ids, bool longFactors) const;
    // Room for pages, at the cost of what was used least recently.
    std::optional<HeldPages> takePages(const PageShape& shape);
    // Puts the beginning of a turn back, whose pages are written; takes them.
    void bringBack(uint64_t chat, const PageImage& image, HeldPages& pages);
    // What is known of a chat from elsewhere, so that reasons and replies that go on are right.
    void adoptTurn(uint64_t chat, const PageImage& image);

    // Bytes on a device that no open chat needs: kept in case that something begins alike.
    uint64_t idleBytes(uint32_t device = 0) const;

private:
    struct Turn {
        std::vector<int32_t> ids;
        uint32_t read = 0; // how many of them were in the cache
        bool longFactors = false;
        bool saved = false;         // holdTurn() gave it
        uint32_t broughtBack = 0;   // of its tokens, since the last resume()
        bool fromDisk = false;      // where they were
    };
    bool dropOne(size_t pool);
    void forgetLost();
    std::string reasonFor(uint64_t chat, std::span<const int32_t> ids, bool longFactors, const PrefixMatch& match) const;

    KvCache& m_cache;
    bool m_needsPoints;
    PrefixTree m_tree;
    LossWatch m_watch;
    std::unordered_map<uint64_t, Turn> m_turns;
    std::unordered_set<uint64_t> m_lost;
    std::function<void(uint64_t)> m_leaving;
    std::function<bool()> m_lastResort;
};

} // namespace steelyard
