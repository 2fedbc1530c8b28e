// Keeps what chats left in the cache when it must leave the device: in system memory, and on disk where that is on.
//
// The prefix cache says when a chat is about to lose pages; they are copied then, if that is worth it (move_rule.h), and the
// disk's own thread writes them. What comes back enters the prefix tree under its tokens, so that comparing tokens stays the
// only way to be given anything. Copies of large chats go in slices between steps. Used by the engine thread.
#pragma once

#include "engine/cache/cache_disk.h"
#include "engine/cache/kept_images.h"
#include "engine/cache/prefix_cache.h"

#include <unordered_map>
#include <unordered_set>

namespace steelyard {

// Numbers from here on are no chats: what has such a number never goes to the disk.
constexpr uint64_t kNoChats = 1ull << 63;

class WarmChats {
public:
    struct Options {
        CacheKey key;
        uint64_t memoryBytes = 0;   // of system memory for pages
        std::function<void()> wake; // any thread: what was waited for is there
    };
    // All but the options outlives it.
    WarmChats(KvCache& cache, PrefixCache& prefixes, CacheDisk& disk, Options options);
    ~WarmChats();
    WarmChats(const WarmChats&) = delete;
    WarmChats& operator=(const WarmChats&) = delete;

    // Looks whether a chat's last turn is on disk, if nothing is known of it; false while that is not known yet.
    bool looked(uint64_t chat);
    // Puts back what is kept of a prompt elsewhere and worth it, a slice at a time or all `atOnce`; false while it is on its way:
    // ask again after a step.
    bool bringBack(uint64_t chat, const std::vector<int32_t>& ids, bool longFactors, bool atOnce = false);
    // The chat's request is gone.
    void giveUp(uint64_t chat);

    // Whether a chat is on its way, so that a slice can be copied at once.
    bool copies() const { return m_in || m_out; }
    // One slice of a chat that will have to leave soon.
    void saveAhead();
    // Writes what is not written, latest used first, until so much time is over.
    void saveAll(double mostMs);
    // Forgets a chat here; its file is the disk's to remove.
    void forget(uint64_t chat);
    // A chat that must never be written.
    void setTemporary(uint64_t chat) { m_temporary.insert(chat); }
    // What reading a token takes, as far as it is known.
    void setReadMsPerToken(double ms) { m_readMsPerToken = ms; }
    uint64_t memoryBytes() const { return m_kept.bytes(); }

    // A file of the caller's: all of a chat's last turn there, and back; how many tokens.
    Result<uint32_t> save(uint64_t chat, const std::filesystem::path& path);
    Result<uint32_t> restore(uint64_t chat, const std::filesystem::path& path);

private:
    struct WayOut {
        uint64_t chat;
        PrefixCache::KeptTurn turn;
        std::shared_ptr<std::vector<uint8_t>> bytes;
        PageCopy copy;
    };
    struct WayIn {
        uint64_t chat;
        KeptImages::Image image;
        HeldPages pages;
        PageCopy copy;
    };
    bool goesToDisk(uint64_t chat) const { return m_disk.isOn() && chat < kNoChats && m_temporary.count(chat) == 0; }
    bool isWorth(uint64_t chat, const PageShape& shape) const;
    bool startOut(uint64_t chat);
    bool advanceOut(uint64_t bytes, bool waits);
    void endOut();
    // What is to be brought back of a prompt; `pending` while it is being opened.
    KeptImages::Image imageFor(uint64_t chat, const std::vector<int32_t>& ids, uint32_t have, bool& pending);
    bool startIn(uint64_t chat, KeptImages::Image image, uint32_t length);
    bool advanceIn(uint64_t bytes);
    void endIn();
    bool isShort() const;
    bool letGo();

    KvCache& m_cache;
    PrefixCache& m_prefixes;
    CacheDisk& m_disk;
    Options m_options;
    KeptImages m_kept;
    std::unordered_map<uint64_t, std::shared_ptr<const CacheDisk::Opening>> m_openings;
    std::unordered_set<uint64_t> m_written, m_temporary; // chats with a file of this key; chats without one
    std::optional<WayOut> m_out;
    std::optional<WayIn> m_in;
    double m_readMsPerToken = 0;
    double m_copyBytesPerMs;
};

} // namespace steelyard
