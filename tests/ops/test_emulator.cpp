// The emulator runs kernels as a card may: in any order that their barriers allow, and in no other.
#include "kernels/device/warp_sums.h"
#include "kernels/launch.h"

#include <QtTest>

#include <cmath>
#include <vector>

using namespace steelyard;
using namespace steelyard::kernels;

namespace {

constexpr uint32_t kThreads = 128;

// Each thread passes its number to its right neighbour through shared memory.
template <bool withBarrier>
struct NeighbourKernel {
    static constexpr uint32_t kThreads = ::kThreads;
    struct Shared {
        int values[kThreads];
    };
    static void run(const Thread& thread, Shared& shared, int* y) {
        shared.values[thread.index()] = static_cast<int>(thread.index());
        if constexpr (withBarrier) thread.barrier();
        const uint32_t from = thread.index() == 0 ? 0 : thread.index() - 1;
        y[thread.blockX() * kThreads + thread.index()] = shared.values[from];
    }
};

// A shared buffer is read and written again, with or without the barrier between the two.
template <bool withBarrier>
struct SecondRoundKernel {
    static constexpr uint32_t kThreads = ::kThreads;
    struct Shared {
        int values[kThreads];
    };
    static void run(const Thread& thread, Shared& shared, int* y) {
        const uint32_t i = thread.index();
        int sum = 0;
        for (int round = 1; round <= 3; ++round) {
            shared.values[i] = round;
            thread.barrier();
            sum += shared.values[kThreads - 1 - i];
            if constexpr (withBarrier) thread.barrier();
        }
        y[i] = sum;
    }
};

struct WarpKernel {
    static constexpr uint32_t kThreads = 64;
    struct Shared {};
    // y: [4, 64]
    static void run(const Thread& thread, Shared&, int* y) {
        const uint32_t i = thread.index();
        const int value = static_cast<int>(i * 10);
        y[i] = thread.shuffleXor(value, 5);
        y[64 + i] = thread.shuffleDown(value, 3);
        y[128 + i] = thread.shuffle(value, 7);
        y[192 + i] = static_cast<int>(thread.ballot(thread.lane() % 3 == 0));
    }
};

// The lower half of a warp meets on its own, and twice as often as the upper half.
struct HalvesKernel {
    static constexpr uint32_t kThreads = 32;
    struct Shared {};
    static void run(const Thread& thread, Shared&, int* y) {
        const bool lower = thread.lane() < 16;
        const uint32_t mask = lower ? 0x0000FFFFu : 0xFFFF0000u;
        int value = static_cast<int>(thread.lane());
        for (int round = 0; round < (lower ? 2 : 1); ++round) value = thread.shuffleXor(value, 1, mask) + 100;
        y[thread.lane()] = value + (thread.any(thread.lane() == 20, mask) ? 1000 : 0) + (thread.all(lower, mask) ? 5000 : 0);
    }
};

struct SumKernel {
    static constexpr uint32_t kThreads = 32;
    struct Shared {};
    static void run(const Thread& thread, Shared&, const float* x, float* y) {
        float sum = x[thread.lane()];
        for (uint32_t bits = 16; bits > 0; bits /= 2) sum += thread.shuffleXor(sum, bits);
        y[thread.lane()] = sum;
        y[32 + thread.lane()] = thread.warpSum(x[thread.lane()]);
        y[64 + thread.lane()] = thread.warpMaximum(x[thread.lane()]);
    }
};

// Sums of several values, by the card's exchanges and by the emulator's meeting: y [2, 32].
template <uint32_t count>
struct SumsKernel {
    static constexpr uint32_t kThreads = 32;
    struct Shared {};
    static void run(const Thread& thread, Shared&, const float* x, float* y) {
        float exchanged[count], met[count];
        for (uint32_t i = 0; i < count; ++i) exchanged[i] = met[i] = x[thread.lane() * 32 + i];
        y[thread.lane()] = sumsByShuffles(thread, exchanged);
        y[32 + thread.lane()] = thread.warpSums(met);
    }
};

struct RubbishKernel {
    static constexpr uint32_t kThreads = 32;
    struct Shared {
        float values[32];
    };
    static void run(const Thread& thread, Shared& shared, float* y) { y[thread.index()] = shared.values[thread.index()]; }
};

struct DynamicKernel {
    static constexpr uint32_t kThreads = 32;
    struct Shared {
        int values[5];
    };
    static void run(const Thread& thread, Shared& shared, int* y) {
        int* extra = thread.dynamicShared<int>();
        if (thread.index() < 5) shared.values[thread.index()] = 7;
        extra[thread.index()] = static_cast<int>(thread.index());
        thread.barrier();
        y[thread.index()] = extra[31 - thread.index()] + shared.values[thread.index() % 5];
    }
};

struct CountKernel {
    static constexpr uint32_t kThreads = 64;
    struct Shared {};
    static void run(const Thread& thread, Shared&, int* visits, int* total) {
        const uint32_t block = (thread.blockZ() * 3 + thread.blockY()) * 5 + thread.blockX();
        ++visits[block * kThreads + thread.index()];
        thread.atomicAdd(total, 1);
    }
};

struct SoloCountKernel {
    static constexpr uint32_t kThreads = 64;
    static void run(const SoloThread& thread, int* visits) { ++visits[thread.globalIndex()]; }
};

// Only one half of the block arrives at the barrier.
struct HalfBarrierKernel {
    static constexpr uint32_t kThreads = 64;
    struct Shared {};
    static void run(const Thread& thread, Shared&, int* y) {
        if (thread.index() < 32) thread.barrier();
        y[thread.index()] = 1;
    }
};

struct MaskQuarrelKernel {
    static constexpr uint32_t kThreads = 32;
    struct Shared {};
    static void run(const Thread& thread, Shared&, int* y) {
        y[thread.lane()] = thread.shuffle(1, 0, thread.lane() < 31 ? 0xFFFFFFFFu : 0x80000001u);
    }
};

// The order in which blocks and threads come to the counter.
struct OrderKernel {
    static constexpr uint32_t kThreads = 32;
    struct Shared {};
    static void run(const Thread& thread, Shared&, int* next, int* order) {
        order[thread.atomicAdd(next, 1)] = static_cast<int>(thread.globalIndex());
    }
};

// Locals of all kinds must survive a switch of stacks.
struct LocalsKernel {
    static constexpr uint32_t kThreads = 64;
    struct Shared {};
    static void run(const Thread& thread, Shared&, double* y) {
        double values[40];
        double factor = 1.0 + thread.index();
        for (int i = 0; i < 40; ++i) {
            values[i] = factor * i;
            if (i % 8 == 0) thread.barrier();
        }
        double sum = 0.0;
        for (double value : values) sum += value;
        y[thread.index()] = sum;
    }
};

template <class Kernel>
std::vector<int> runInts(emulator::Stream& stream, uint32_t count, Grid grid = {}) {
    std::vector<int> y(count, -1);
    launch<Kernel>(grid, &stream, y.data());
    return y;
}

} // namespace

class TestEmulator : public QObject {
    Q_OBJECT

private slots:
    void barrierSeparatesWritesFromReads() {
        emulator::Stream stream;
        const auto y = runInts<NeighbourKernel<true>>(stream, kThreads * 20, {20});
        for (uint32_t i = 0; i < y.size(); ++i) QCOMPARE(y[i], static_cast<int>(i % kThreads == 0 ? 0 : i % kThreads - 1));
        for (int value : runInts<SecondRoundKernel<true>>(stream, kThreads)) QCOMPARE(value, 6);
        QVERIFY(stream.problem().empty());
    }

    void shuffledOrderExposesMissingBarrier() {
        const auto right = [](const std::vector<int>& y) {
            for (uint32_t i = 0; i < y.size(); ++i)
                if (y[i] != static_cast<int>(i == 0 ? 0 : i - 1)) return false;
            return true;
        };
        emulator::Stream ascending(1, false), shuffled;
        QVERIFY(right(runInts<NeighbourKernel<false>>(ascending, kThreads))); // the defect hides in the plain order
        QVERIFY(!right(runInts<NeighbourKernel<false>>(shuffled, kThreads)));
    }

    void shuffledOrderExposesMissingSecondBarrier() {
        emulator::Stream stream;
        const auto y = runInts<SecondRoundKernel<false>>(stream, kThreads);
        QVERIFY(std::any_of(y.begin(), y.end(), [](int value) { return value != 6; }));
    }

    void shufflesAndVotes() {
        emulator::Stream stream;
        const auto y = runInts<WarpKernel>(stream, 256);
        uint32_t thirds = 0;
        for (uint32_t lane = 0; lane < 32; lane += 3) thirds |= 1u << lane;
        for (uint32_t i = 0; i < 64; ++i) {
            const uint32_t lane = i % 32, first = i - lane;
            QCOMPARE(y[i], static_cast<int>((first + (lane ^ 5u)) * 10));
            QCOMPARE(y[64 + i], static_cast<int>((lane + 3 < 32 ? i + 3 : i) * 10));
            QCOMPARE(y[128 + i], static_cast<int>((first + 7) * 10));
            QCOMPARE(y[192 + i], static_cast<int>(thirds));
        }
    }

    void masksLetLanesMeetApart() {
        emulator::Stream stream;
        const auto y = runInts<HalvesKernel>(stream, 32);
        for (int lane = 0; lane < 32; ++lane)
            QCOMPARE(y[static_cast<size_t>(lane)], lane < 16 ? lane + 200 + 5000 : (lane ^ 1) + 100 + 1000);
    }

    void warpSumIsTheButterfly() {
        emulator::Stream stream;
        std::vector<float> x(32), y(96);
        for (int i = 0; i < 32; ++i) x[static_cast<size_t>(i)] = std::sin(static_cast<float>(i) * 12.9f) * 1000.0f;
        launch<SumKernel>({}, &stream, static_cast<const float*>(x.data()), y.data());
        for (size_t i = 0; i < 32; ++i) {
            QVERIFY(y[i] == y[0] && y[32 + i] == y[0]);
            QVERIFY(y[64 + i] == *std::max_element(x.begin(), x.end()));
        }
    }

    void severalSumsAtOnceAreTheButterfly() {
        emulator::Stream stream;
        std::vector<float> x(32 * 32), y(64), column(32), single(96);
        for (size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i) * 7.7f) * 100.0f;
        const auto check = [&](uint32_t count) {
            for (uint32_t lane = 0; lane < 32; ++lane) {
                for (uint32_t other = 0; other < 32; ++other) column[other] = x[other * 32 + lane % count];
                launch<SumKernel>({}, &stream, static_cast<const float*>(column.data()), single.data());
                QVERIFY(y[lane] == single[0] && y[32 + lane] == single[0]);
            }
        };
        const float* values = x.data();
        launch<SumsKernel<1>>({}, &stream, values, y.data());
        check(1);
        launch<SumsKernel<8>>({}, &stream, values, y.data());
        check(8);
        launch<SumsKernel<32>>({}, &stream, values, y.data());
        check(32);
    }

    void sharedMemoryStartsAsRubbish() {
        emulator::Stream stream;
        std::vector<float> y(32);
        launch<RubbishKernel>({}, &stream, y.data());
        for (float value : y) QVERIFY(std::isnan(value));
    }

    void dynamicSharedMemoryLiesApart() {
        emulator::Stream stream;
        const auto y = runInts<DynamicKernel>(stream, 32, {1, 1, 1, 32 * sizeof(int)});
        for (int i = 0; i < 32; ++i) QCOMPARE(y[static_cast<size_t>(i)], 31 - i + 7);
    }

    void everyThreadOfEveryBlockRunsOnce() {
        emulator::Stream stream;
        std::vector<int> visits(5 * 3 * 2 * 64);
        int total = 0;
        launch<CountKernel>({5, 3, 2}, &stream, visits.data(), &total);
        for (int count : visits) QCOMPARE(count, 1);
        QCOMPARE(total, 5 * 3 * 2 * 64);
        std::vector<int> solo(64 * 9);
        launch<SoloCountKernel>({9}, &stream, solo.data());
        for (int count : solo) QCOMPARE(count, 1);
        launch<SoloCountKernel>({0}, &stream, solo.data()); // an empty grid
        QCOMPARE(solo[0], 1);
    }

    void orderRepeatsWithTheSeed() {
        const auto orderOf = [](uint64_t seed) {
            emulator::Stream stream(seed);
            int next = 0;
            std::vector<int> order(32 * 6);
            launch<OrderKernel>({6}, &stream, &next, order.data());
            return order;
        };
        QCOMPARE(orderOf(3), orderOf(3));
        QVERIFY(orderOf(3) != orderOf(4));
    }

    void localsSurviveBarriers() {
        emulator::Stream stream;
        std::vector<double> y(64);
        launch<LocalsKernel>({4}, &stream, y.data());
        for (int i = 0; i < 64; ++i) QCOMPARE(y[static_cast<size_t>(i)], (1.0 + i) * 780.0);
    }

    void stuckThreadsEndInASentence() {
        emulator::Stream stream;
        std::vector<int> y(64);
        launch<HalfBarrierKernel>({}, &stream, y.data());
        QVERIFY2(stream.problem().find("32 wait at a barrier") != std::string::npos, stream.problem().c_str());
        launch<SoloCountKernel>({}, &stream, y.data()); // an error sticks: nothing runs any more
        QCOMPARE(y[63], 1);
    }

    void lanesWithDifferentMasksEndInASentence() {
        emulator::Stream stream;
        runInts<MaskQuarrelKernel>(stream, 32);
        QVERIFY2(stream.problem().find("different masks") != std::string::npos, stream.problem().c_str());
    }

    void blocksRunAfterAStuckOne() {
        emulator::Emulator emulator;
        const auto stuck = [](const emulator::Place& place, emulator::Block& block, void*) {
            if (place.thread == 0) block.barrier(0);
        };
        emulator.runTogether({1, 1, 1, 64}, 0, 0, stuck);
        QVERIFY(!emulator.takeProblem().empty());
        int count = 0;
        const auto together = [&](const emulator::Place& place, emulator::Block& block, void*) {
            block.barrier(place.thread);
            ++count;
        };
        emulator.runTogether({2, 1, 1, 64}, 0, 0, together);
        QVERIFY(emulator.takeProblem().empty());
        QCOMPARE(count, 128);
    }

    void recordedLaunchesRunAtEachReplay() {
        emulator::Stream stream;
        std::vector<int> visits(64);
        stream.beginRecording();
        launch<SoloCountKernel>({}, &stream, visits.data());
        const auto recording = stream.endRecording();
        QCOMPARE(visits[0], 0);
        stream.replay(recording);
        stream.replay(recording);
        QCOMPARE(visits[63], 2);
    }
};

QTEST_GUILESS_MAIN(TestEmulator)
#include "test_emulator.moc"
