#include "engine/cache/cache_disk.h"

namespace steelyard {

namespace {

constexpr uint64_t kMostWaiting = 512ull << 20; // bytes that wait for the disk, unless one chat alone has more

} // namespace

void CacheDisk::use(const std::filesystem::path& folder, uint64_t mostBytes) {
    if (!folder.empty()) {
        m_folder.emplace(folder, mostBytes);
        return;
    }
    if (m_folder) m_jobs.submit([folder = *m_folder] { folder.clear(); }); // behind what is still being written
    m_folder.reset();
}

void CacheDisk::written(uint64_t bytes) {
    {
        std::lock_guard lock(m_mutex);
        m_waitingBytes -= bytes;
    }
    m_lessWaits.notify_all();
}

void CacheDisk::write(const CacheKey& key, uint64_t chat, std::shared_ptr<const PageImage> image, bool waits) {
    if (!m_folder) return;
    const uint64_t bytes = image->bytes.size();
    {
        std::unique_lock lock(m_mutex);
        const auto hasRoom = [&] { return m_waitingBytes == 0 || m_waitingBytes + bytes <= kMostWaiting; };
        if (waits) m_lessWaits.wait(lock, hasRoom);
        if (!hasRoom()) return log(LogLevel::Info, "A chat's cache is not kept: the disk is behind.");
        m_waitingBytes += bytes;
    }
    m_jobs.submit([this, key, chat, image = std::move(image), bytes, folder = *m_folder] {
        const auto path = folder.fileOf(key, chat);
        auto done = folder.makeRoom(path, bytes);
        if (done) done = writeCacheFile(path, key, *image);
        if (!done) log(LogLevel::Warning, done.sentence());
        written(bytes);
    });
}

void CacheDisk::forget(uint64_t chat) {
    if (m_folder) m_jobs.submit([folder = *m_folder, chat] { folder.forget(chat); });
}

std::shared_ptr<const CacheDisk::Opening> CacheDisk::open(const CacheKey& key, const CacheLayout& layout, uint64_t chat, std::function<void()> wake) {
    auto opening = std::make_shared<Opening>();
    if (!m_folder) {
        opening->done = true;
        return opening;
    }
    m_jobs.submit([this, key, layout, chat, wake = std::move(wake), opening, folder = *m_folder] {
        const auto path = folder.fileOf(key, chat);
        std::error_code problem;
        if (std::filesystem::exists(path, problem)) {
            auto image = openCacheFile(path, key, layout);
            if (image) {
                CacheFolder::touch(path);
                opening->image = std::make_shared<const PageImage>(std::move(*image));
            } else {
                log(LogLevel::Warning, image.sentence());
                std::filesystem::remove(path, problem);
            }
        }
        opening->done = true;
        if (wake) wake();
    });
    return opening;
}

} // namespace steelyard
