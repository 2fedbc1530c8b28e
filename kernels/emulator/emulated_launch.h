// Threads and launches without a graphics card: the twin of kernels/device/cuda_launch.h over the emulator.
#pragma once

#include "kernels/emulator/block.h"
#include "kernels/emulator/stream.h"
#include "kernels/launchers.h"

#include <bit>
#include <cstring>

namespace steelyard::kernels {

using Target = EmulatedTarget;

namespace emulated {

// A thread that knows its place only.
class SoloThread {
public:
    explicit SoloThread(const emulator::Place& place) : m_place(place) {}

    uint32_t index() const { return m_place.thread; }
    uint32_t blockX() const { return m_place.x; }
    uint32_t blockY() const { return m_place.y; }
    uint32_t blockZ() const { return m_place.z; }
    uint64_t globalIndex() const { return uint64_t(m_place.x) * m_place.threads + m_place.thread; }

private:
    emulator::Place m_place;
};

// A thread that works together with its block and warp.
class Thread : public SoloThread {
public:
    static constexpr uint32_t kAllLanes = 0xFFFFFFFFu;

    Thread(const emulator::Place& place, emulator::Block& block) : SoloThread(place), m_block(&block) {}

    uint32_t lane() const { return index() % 32; }
    uint32_t warp() const { return index() / 32; }

    void barrier() const { m_block->barrier(index()); }
    void warpBarrier(uint32_t mask = kAllLanes) const { request(emulator::WarpWork::Barrier, 0, lane(), mask); }

    template <class T>
    T shuffle(T value, uint32_t lane, uint32_t mask = kAllLanes) const {
        uint64_t bits = 0;
        static_assert(sizeof value <= sizeof bits);
        std::memcpy(&bits, &value, sizeof value);
        bits = request(emulator::WarpWork::Shuffle, bits, lane % 32, mask);
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    template <class T>
    T shuffleXor(T value, uint32_t bits, uint32_t mask = kAllLanes) const {
        return shuffle(value, lane() ^ bits, mask);
    }
    template <class T>
    T shuffleDown(T value, uint32_t distance, uint32_t mask = kAllLanes) const {
        return shuffle(value, lane() + distance < 32 ? lane() + distance : lane(), mask);
    }
    uint32_t ballot(bool value, uint32_t mask = kAllLanes) const {
        return static_cast<uint32_t>(request(emulator::WarpWork::Ballot, value ? 1 : 0, lane(), mask));
    }
    bool any(bool value, uint32_t mask = kAllLanes) const { return ballot(value, mask) != 0; }
    bool all(bool value, uint32_t mask = kAllLanes) const { return ballot(value, mask) == mask; }

    // One meeting of the lanes instead of five; the order of the sum is the butterfly's.
    float warpSum(float value) const { return reduce(emulator::WarpWork::Sum, value); }
    float warpMaximum(float value) const { return reduce(emulator::WarpWork::Maximum, value); }
    template <uint32_t count>
    float warpSums(float (&values)[count]) const {
        static_assert(count > 0 && count <= 32 && (count & (count - 1)) == 0);
        return asFloat(request(emulator::WarpWork::Sums, reinterpret_cast<uintptr_t>(values), count, kAllLanes));
    }

    template <class T>
    T atomicAdd(T* address, T value) const {
        const T before = *address;
        *address = before + value;
        return before;
    }

    template <class T>
    T* dynamicShared() const {
        return reinterpret_cast<T*>(m_block->dynamicShared());
    }

private:
    uint64_t request(emulator::WarpWork work, uint64_t value, uint32_t source, uint32_t mask) const {
        return m_block->meet(index(), {work, mask, source, value});
    }
    float reduce(emulator::WarpWork work, float value) const {
        return asFloat(request(work, std::bit_cast<uint32_t>(value), lane(), kAllLanes));
    }
    static float asFloat(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
    emulator::Block* m_block;
};

} // namespace emulated

using emulated::SoloThread;
using emulated::Thread;

// Runs a kernel on a stream, or notes it while the stream records; an empty grid runs nothing.
template <class Kernel, class... Arguments>
void launch(const Grid& grid, void* stream, const Arguments&... arguments) {
    static_assert(Kernel::kThreads % 32 == 0 && Kernel::kThreads <= 1024);
    static_cast<emulator::Stream*>(stream)->submit([=](emulator::Emulator& emulator) {
        const emulator::GridShape shape{grid.x, grid.y, grid.z, Kernel::kThreads};
        if constexpr (isCooperative<Kernel>) {
            using Shared = typename Kernel::Shared;
            const auto body = [&](const emulator::Place& place, emulator::Block& block, void* shared) {
                Kernel::run(Thread(place, block), *static_cast<Shared*>(shared), arguments...);
            };
            emulator.runTogether(shape, sizeof(Shared), grid.sharedBytes, body);
        } else {
            emulator.runAlone(shape, [&](const emulator::Place& place) { Kernel::run(SoloThread(place), arguments...); });
        }
    });
}

} // namespace steelyard::kernels
