// Runs the threads of one block together on one thread of the operating system: each thread is a fibre that runs until it
// must wait (for the block's barrier or for lanes of its warp) and then hands over to the next in a shuffled order.
//
// So a thread that a barrier should hold back, but doesn't, runs long before or after its neighbours, and shared memory
// starts out as rubbish: a missing barrier shows as a wrong result. Threads that can never go on end the block with a
// sentence. Rules are those of the strictest cards: a barrier needs every thread of the block, a warp operation every lane
// that its mask names, with the same mask. Knows nothing of particular kernels.
#pragma once

#include "kernels/emulator/fibre.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace steelyard::emulator {

// Where a thread stands.
struct Place {
    uint32_t x = 0, y = 0, z = 0; // block
    uint32_t thread = 0;          // in the block
    uint32_t threads = 0;         // of the block
};

// What lanes of a warp do when they meet.
enum class WarpWork : uint8_t { Barrier, Shuffle, Ballot, Sum, Maximum, Sums };

struct WarpRequest {
    WarpWork work = WarpWork::Barrier;
    uint32_t mask = 0;
    uint32_t source = 0; // Shuffle: the lane whose value is wanted; Sums: the number of values
    uint64_t value = 0;  // the value's bits; Sums: the address of the lane's values
};

class Block {
public:
    static constexpr uint32_t kMaximumThreads = 1024;
    using Body = void (*)(void* context, const Place& place, Block& block, void* shared);

    Block();
    ~Block();

    // Runs one block whose threads start in `order` (a permutation of the threads). False when threads got stuck.
    bool run(const Place& place, std::span<const uint16_t> order, std::span<uint8_t> shared, size_t dynamicOffset, Body body,
             void* context);
    // Why run() failed.
    const std::string& problem() const { return m_problem; }

    // Called by running threads.
    void barrier(uint32_t thread);
    uint64_t meet(uint32_t thread, const WarpRequest& request);
    void* dynamicShared() const { return m_dynamicShared; }

private:
    struct Strand;
    struct Warp {
        uint32_t waiting = 0;
        WarpRequest requests[32];
        uint64_t results[32];
    };
    static void strandMain(void* argument);
    void prepare(uint32_t threads);
    void push(uint32_t thread);
    void leave(uint32_t thread);
    void fail(uint32_t thread, const char* problem);
    static uint64_t common(const Warp& warp, const WarpRequest& request);
    static void sums(Warp& warp, uint32_t count);
    void finishMeeting(uint32_t warp, uint32_t mask, uint32_t last);
    std::string stuck() const;

    Fibre m_host;
    std::unique_ptr<uint8_t[]> m_stacks; // left as they come: most of it is never touched
    std::vector<std::unique_ptr<Strand>> m_strands;
    std::vector<Warp> m_warps;
    std::vector<uint16_t> m_ready; // a ring of threads that can run
    uint32_t m_readyFirst = 0, m_readyCount = 0;
    std::vector<bool> m_atBarrier;
    uint32_t m_barrierCount = 0, m_finished = 0;

    Place m_place;
    std::span<const uint16_t> m_order;
    std::span<uint8_t> m_shared;
    void* m_dynamicShared = nullptr;
    Body m_body = nullptr;
    void* m_context = nullptr;
    std::string m_problem;
};

} // namespace steelyard::emulator
