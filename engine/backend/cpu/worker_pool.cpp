#include "engine/backend/cpu/worker_pool.h"

#include "engine/backend/cpu/cpu_info.h"
#include "engine/backend/cpu/spin.h"

#include <chrono>

namespace steelyard::cpu {

namespace {

constexpr auto kSpinTime = std::chrono::microseconds(50);
constexpr uint64_t kRemaining = 0xFFFFFFFFu;

// Spins until `ready` or the time is over; the clock is read rarely.
template <class Ready>
bool spinUntil(Ready&& ready) {
    for (int i = 0; i < 64; ++i) {
        if (ready()) return true;
        spinPause();
    }
    const auto end = std::chrono::steady_clock::now() + kSpinTime;
    do {
        for (int i = 0; i < 32; ++i) {
            if (ready()) return true;
            spinPause();
        }
    } while (std::chrono::steady_clock::now() < end);
    return false;
}

} // namespace

WorkerPool::WorkerPool(uint32_t workers) {
    for (uint32_t worker = 1; worker < workers; ++worker) m_threads.emplace_back([this, worker] { serve(worker); });
}

WorkerPool::~WorkerPool() {
    m_stop.store(true);
    m_ticket.fetch_add(uint64_t(1) << 32);
    m_ticket.notify_all();
    for (auto& thread : m_threads) thread.join();
}

bool WorkerPool::takeChunk(uint32_t& chunk) {
    uint64_t ticket = m_ticket.load(std::memory_order_acquire);
    while ((ticket & kRemaining) != 0) {
        if (!m_ticket.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acq_rel, std::memory_order_acquire)) continue;
        chunk = m_chunks - static_cast<uint32_t>(ticket & kRemaining);
        return true;
    }
    return false;
}

void WorkerPool::run(uint32_t chunks, Run run, const void* context) {
    if (chunks == 0) return;
    if (m_threads.empty() || chunks == 1) {
        for (uint32_t chunk = 0; chunk < chunks; ++chunk) run(context, chunk, 0);
        return;
    }
    m_run = run;
    m_context = context;
    m_chunks = chunks;
    m_done.store(0, std::memory_order_relaxed);
    const uint64_t job = (m_ticket.load(std::memory_order_relaxed) >> 32) + 1;
    m_ticket.store((job << 32) | chunks); // sequentially consistent, as is the count of sleepers: one of the two sees the other
    if (m_sleepers.load() > 0) m_ticket.notify_all();
    for (uint32_t chunk = 0; takeChunk(chunk);) {
        run(context, chunk, 0);
        m_done.fetch_add(1, std::memory_order_release);
    }
    while (!spinUntil([&] { return m_done.load(std::memory_order_acquire) == chunks; })) std::this_thread::yield();
}

uint64_t WorkerPool::waitForWork(uint64_t seen) {
    if (!spinUntil([&] { return m_ticket.load(std::memory_order_acquire) != seen; })) {
        m_sleepers.fetch_add(1);
        m_ticket.wait(seen);
        m_sleepers.fetch_sub(1);
    }
    return m_ticket.load(std::memory_order_acquire);
}

void WorkerPool::serve(uint32_t worker) {
    lowerThreadPriority();
    uint64_t seen = m_ticket.load(std::memory_order_acquire);
    while (!m_stop.load(std::memory_order_relaxed)) {
        uint32_t chunk = 0;
        while (takeChunk(chunk)) {
            m_run(m_context, chunk, worker);
            m_done.fetch_add(1, std::memory_order_release);
        }
        seen = m_ticket.load(std::memory_order_acquire);
        if ((seen & kRemaining) == 0 && !m_stop.load(std::memory_order_relaxed)) waitForWork(seen);
    }
}

} // namespace steelyard::cpu
