// Runs grids of kernels on the processor, block after block, in an order that changes from launch to launch but repeats
// with the seed. Kernels without cooperation run as plain loops. Belongs to one thread of the operating system at a time.
#pragma once

#include "kernels/emulator/block.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace steelyard::emulator {

struct GridShape {
    uint32_t x = 1, y = 1, z = 1;
    uint32_t threads = 32; // of a block
};

class Emulator {
public:
    // `shuffled` false runs blocks and threads in ascending order; tests use it to show what the shuffling finds.
    explicit Emulator(uint64_t seed = 1, bool shuffled = true) : m_state(seed), m_shuffled(shuffled) {}

    // Each thread by itself: body(place).
    template <class Body>
    void runAlone(const GridShape& grid, Body&& body) {
        forEachBlock(grid, [&](Place place) {
            for (place.thread = 0; place.thread < grid.threads; ++place.thread) body(place);
            return true;
        });
    }

    // Threads of a block together: body(place, block, shared).
    template <class Body>
    void runTogether(const GridShape& grid, size_t sharedBytes, size_t dynamicBytes, Body&& body) {
        const size_t dynamicOffset = (sharedBytes + 15) / 16 * 16;
        m_shared.resize((dynamicOffset + dynamicBytes + 15) / 16);
        using Plain = std::remove_reference_t<Body>;
        const Block::Body call = [](void* context, const Place& place, Block& block, void* shared) {
            (*static_cast<Plain*>(context))(place, block, shared);
        };
        forEachBlock(grid, [&](const Place& place) {
            return runBlock(place, dynamicOffset, call, const_cast<void*>(static_cast<const void*>(&body)));
        });
    }

    // Why a grid could not finish, once; empty when all is well.
    std::string takeProblem() { return std::exchange(m_problem, {}); }

private:
    struct alignas(16) Chunk {
        uint8_t bytes[16];
    };

    // Calls each(place) for the blocks in a changing order until one returns false.
    template <class Each>
    void forEachBlock(const GridShape& grid, Each&& each) {
        const uint64_t count = uint64_t(grid.x) * grid.y * grid.z;
        if (count == 0) return;
        const Order order = nextOrder(count);
        for (uint64_t i = 0; i < count; ++i) {
            const uint64_t index = (order.first + i * order.step) % count;
            Place place;
            place.x = static_cast<uint32_t>(index % grid.x);
            place.y = static_cast<uint32_t>(index / grid.x % grid.y);
            place.z = static_cast<uint32_t>(index / grid.x / grid.y);
            place.threads = grid.threads;
            if (!each(place)) return;
        }
    }
    struct Order {
        uint64_t first = 0, step = 1; // the step has no common divisor with the count
    };
    Order nextOrder(uint64_t count);
    bool runBlock(const Place& place, size_t dynamicOffset, Block::Body body, void* context);
    uint64_t random();
    std::span<const uint16_t> threadOrder(uint32_t threads);

    uint64_t m_state;
    bool m_shuffled;
    Block m_block;
    std::vector<Chunk> m_shared;
    struct Permutations {
        uint32_t threads;
        std::vector<std::vector<uint16_t>> all;
    };
    std::vector<Permutations> m_permutations;
    std::string m_problem;
};

} // namespace steelyard::emulator
