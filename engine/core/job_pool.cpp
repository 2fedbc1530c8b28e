#include "engine/core/job_pool.h"

#include <algorithm>
#include <memory>

namespace steelyard {

namespace {

constexpr uint32_t kMostThreads = 8;

// The state of one forEach; helpers may outlive the call by the moment in which they find that nothing is left.
struct Loop {
    std::atomic<uint64_t> next{0}, done{0};
    uint64_t count = 0;
    const std::function<void(uint64_t)>* each = nullptr; // valid while done < count
    std::mutex mutex;
    std::condition_variable finished;

    void work() {
        for (uint64_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
            (*each)(i);
            if (done.fetch_add(1) + 1 < count) continue;
            std::lock_guard lock(mutex);
            finished.notify_all();
        }
    }
};

} // namespace

JobPool::JobPool(uint32_t threads, size_t capacity) : m_jobs(capacity) {
    if (threads == 0) threads = std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads);
    for (uint32_t i = 0; i < threads; ++i)
        m_threads.emplace_back([this] {
            while (auto job = m_jobs.take()) (*job)();
        });
}

JobPool::~JobPool() {
    m_jobs.close();
    for (auto& thread : m_threads) thread.join();
}

void JobPool::forEach(uint64_t count, const std::function<void(uint64_t)>& each) {
    if (count == 0) return;
    const auto loop = std::make_shared<Loop>();
    loop->count = count;
    loop->each = &each;
    for (uint64_t helper = 0; helper + 1 < count && helper < m_threads.size(); ++helper)
        if (!trySubmit([loop] { loop->work(); })) break; // a full pool: the caller does it alone
    loop->work();
    std::unique_lock lock(loop->mutex);
    loop->finished.wait(lock, [&] { return loop->done.load() == count; });
}

} // namespace steelyard
