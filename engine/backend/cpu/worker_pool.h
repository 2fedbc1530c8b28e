// The workers of the processor device: they share the chunks of one job at a time with the thread that asks for it.
//
// A job is done when all its chunks are; a worker that the system has put aside holds nothing up, because its chunks are
// taken by the others. A waiting worker spins at most 50 microseconds and then sleeps. A job is announced with one store
// and, only if somebody sleeps, one wake. Used by one thread at a time. Knows nothing of ops.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace steelyard::cpu {

class WorkerPool {
public:
    // A chunk of a job; `worker` is 0 for the caller and below workers() otherwise.
    using Run = void (*)(const void* context, uint32_t chunk, uint32_t worker);

    explicit WorkerPool(uint32_t workers); // including the caller
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    uint32_t workers() const { return static_cast<uint32_t>(m_threads.size()) + 1; }

    // Runs all chunks and returns when they are done.
    void run(uint32_t chunks, Run run, const void* context);

    // Calls each(first, last, worker) for parts of [0, units); `unitCost` is roughly the bytes that a unit reads. Little
    // work stays on the caller's thread.
    template <class Each>
    void share(uint64_t units, uint64_t unitCost, Each& each) {
        const uint64_t wanted = units * (unitCost > 0 ? unitCost : 1) / kPartCost, most = uint64_t(workers()) * kPartsPerWorker;
        const uint64_t parts = wanted < most ? wanted : most;
        if (parts <= 1 || workers() == 1) {
            if (units > 0) each(uint64_t(0), units, 0u);
            return;
        }
        struct Context {
            Each* each;
            uint64_t units, parts;
        } context{&each, units, parts < units ? parts : units};
        run(static_cast<uint32_t>(context.parts), [](const void* raw, uint32_t part, uint32_t worker) {
            const auto& c = *static_cast<const Context*>(raw);
            (*c.each)(c.units * part / c.parts, c.units * (part + 1) / c.parts, worker);
        }, &context);
    }

private:
    // A part smaller than this is not worth another thread; more parts than these even out nothing.
    static constexpr uint64_t kPartCost = 32 * 1024;
    static constexpr uint32_t kPartsPerWorker = 8;

    void serve(uint32_t worker);
    bool takeChunk(uint32_t& chunk);
    uint64_t waitForWork(uint64_t seen);

    // Upper half: number of the job; lower half: chunks that nobody has taken yet. A worker may read the job only after
    // it has taken a chunk: then the job cannot end before it is ready.
    alignas(64) std::atomic<uint64_t> m_ticket{0};
    alignas(64) std::atomic<uint32_t> m_done{0};
    std::atomic<uint32_t> m_sleepers{0};
    std::atomic<bool> m_stop{false};
    Run m_run = nullptr;
    const void* m_context = nullptr;
    uint32_t m_chunks = 0;
    std::vector<std::thread> m_threads;
};

} // namespace steelyard::cpu
