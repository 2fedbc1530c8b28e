// The bounded pool for work beside the engine: loading, packing, scanning, hashing. At most `capacity` jobs wait; a full
// pool makes the submitter wait or say no, so that nothing piles up.
//
// Jobs must not throw and must not wait for other jobs of the same pool. Destroying the pool finishes the jobs it has.
// Not for the engine's own steps (those have workers in the device) and not for anything that may block for ever.
#pragma once

#include "engine/core/bounded_queue.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace steelyard {

class JobPool {
public:
    using Job = std::function<void()>;

    // `threads` 0: as many as the machine has processors, at most 8.
    explicit JobPool(uint32_t threads = 0, size_t capacity = 64);
    ~JobPool();
    JobPool(const JobPool&) = delete;
    JobPool& operator=(const JobPool&) = delete;

    uint32_t threads() const { return static_cast<uint32_t>(m_threads.size()); }

    // Takes the job unless the pool is full.
    bool trySubmit(Job job) { return m_jobs.tryPush(std::move(job)); }
    // Takes the job, waiting for room.
    void submit(Job job) { m_jobs.push(std::move(job)); }

    // Calls each(i) for i in [0, count), on the pool's threads and the caller's, and returns when all are done. Any thread
    // but the pool's own.
    void forEach(uint64_t count, const std::function<void(uint64_t)>& each);

private:
    BoundedQueue<Job> m_jobs;
    std::vector<std::thread> m_threads;
};

} // namespace steelyard
