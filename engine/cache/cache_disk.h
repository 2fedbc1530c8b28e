// Reads and writes kept chats on a thread of its own, so that no step waits for a disk.
//
// Jobs run one after the other in the order they were given: a chat that is forgotten behind a write is gone. Whatever goes wrong is
// one line in the log, and a file that cannot be used is removed. Knows nothing of trees and devices.
#pragma once

#include "engine/cache/cache_file.h"
#include "engine/cache/cache_folder.h"
#include "engine/core/job_pool.h"
#include "engine/core/log.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace steelyard {

class CacheDisk {
public:
    explicit CacheDisk(LogSink log) : m_log(std::move(log)) {}
    // Finishes what it was given.
    ~CacheDisk() = default;

    // Where chats are kept from now on, and how many bytes; an empty path turns it off and removes what is kept.
    void use(const std::filesystem::path& folder, uint64_t mostBytes);
    bool isOn() const { return m_folder.has_value(); }

    // Writes a chat's pages, later. With `waits`, first until not much is waiting; otherwise nothing is written then.
    void write(const CacheKey& key, uint64_t chat, std::shared_ptr<const PageImage> image, bool waits);
    // Removes a chat's files, later.
    void forget(uint64_t chat);

    // A file that is being opened; `image` may be read once `done`, and is null when there is none that can be used.
    struct Opening {
        std::atomic<bool> done = false;
        std::shared_ptr<const PageImage> image;
    };
    // `wake` is called when it is done, on another thread.
    std::shared_ptr<const Opening> open(const CacheKey& key, const CacheLayout& layout, uint64_t chat, std::function<void()> wake);

private:
    void log(LogLevel level, const std::string& sentence) const {
        if (m_log) m_log(level, sentence);
    }
    void written(uint64_t bytes);

    LogSink m_log;
    std::optional<CacheFolder> m_folder;
    std::mutex m_mutex;
    std::condition_variable m_lessWaits;
    uint64_t m_waitingBytes = 0;
    JobPool m_jobs{1}; // last: its jobs use the rest
};

} // namespace steelyard
