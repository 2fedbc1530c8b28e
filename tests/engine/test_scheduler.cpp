// What a step consists of: decoding rows first, prompts by predicted time, the one that had least first.
#include "engine/sampling/random.h"
#include "engine/scheduler/scheduler.h"

#include <QtTest>

#include <numeric>

using namespace steelyard;

namespace {

constexpr StepLimits kLimits{256, 8};

StepWish decoding() { return {1, true, 0, false}; }
StepWish reading(uint32_t rows, uint64_t given = 0) { return {rows, false, given, false}; }

// A scheduler that has seen a device with these times.
Scheduler practised(double decodeMs, double promptRowMs) {
    Scheduler scheduler;
    for (int i = 0; i < 50; ++i) {
        scheduler.measured(1, 0, decodeMs);
        scheduler.measured(0, 100, 100 * promptRowMs);
    }
    return scheduler;
}

} // namespace

class TestScheduler : public QObject {
    Q_OBJECT

private slots:
    void whoDecodesIsInEveryStep() {
        const Scheduler scheduler = practised(10, 1);
        const auto plan = scheduler.plan({reading(4000), decoding(), reading(10), decoding()}, kLimits);
        QCOMPARE(plan[1], 1u);
        QCOMPARE(plan[3], 1u);
        QVERIFY(plan[0] > 0);
    }

    void promptsStretchAStepAtMostToTwoAndAHalf() {
        const Scheduler scheduler = practised(10, 0.5);
        const auto plan = scheduler.plan({decoding(), reading(4000)}, kLimits);
        QVERIFY(10 + plan[1] * 0.5 <= 25);
        QVERIFY(plan[1] >= 16);
    }

    void aloneAChunkTakesATenthOfASecond() {
        QVERIFY(practised(10, 1).plan({reading(4000)}, kLimits)[0] * 1.0 <= 100);
        QVERIFY(practised(10, 1).plan({reading(4000)}, kLimits)[0] >= 90);
        QCOMPARE(practised(10, 0.01).plan({reading(4000)}, kLimits)[0], 256u);
    }

    void aPromptIsReadHoweverSlowTheDevice() { QVERIFY(practised(10, 500).plan({decoding(), reading(4000)}, kLimits)[1] > 0); }

    void theOneThatHadLeastGoesFirst() {
        const Scheduler scheduler = practised(10, 1);
        const auto plan = scheduler.plan({reading(4000, 900), reading(20, 0), reading(4000, 500)}, kLimits);
        QCOMPARE(plan[1], 20u);
        QVERIFY(plan[2] > 0);
        QCOMPARE(plan[0], 0u);
    }

    void oneStepHasOneKindOfRotation() {
        const Scheduler scheduler;
        auto other = decoding();
        other.longFactors = true;
        const auto plan = scheduler.plan({decoding(), other, decoding()}, kLimits);
        QCOMPARE(plan, (StepPlan{1, 0, 1}));
    }

    // Whatever is wished, the limits hold, something runs, and everybody comes to an end.
    void nobodyStarves() {
        for (uint64_t seed = 1; seed <= 300; ++seed) {
            Scheduler scheduler;
            std::vector<StepWish> wishes;
            std::vector<uint32_t> left;
            for (uint64_t i = 0; i < mixedBits(seed) % 12 + 1; ++i) {
                const uint64_t dice = mixedBits(seed * 100 + i);
                wishes.push_back(dice % 3 == 0 ? decoding() : reading(static_cast<uint32_t>(dice % 700 + 1)));
                wishes.back().longFactors = dice % 5 == 0;
                left.push_back(wishes.back().decodes ? static_cast<uint32_t>(dice % 50 + 1) : wishes.back().rows);
            }
            const StepLimits limits{static_cast<uint32_t>(mixedBits(seed + 1) % 250 + 1), static_cast<uint32_t>(mixedBits(seed + 2) % 8 + 1)};
            int steps = 0;
            while (std::accumulate(left.begin(), left.end(), uint64_t(0)) > 0) {
                QVERIFY(++steps < 100000);
                const auto plan = scheduler.plan(wishes, limits);
                uint32_t rows = 0, sequences = 0, decodeRows = 0;
                for (size_t i = 0; i < plan.size(); ++i) {
                    QVERIFY(plan[i] <= wishes[i].rows);
                    rows += plan[i];
                    sequences += plan[i] > 0;
                    decodeRows += wishes[i].decodes ? plan[i] : 0;
                    left[i] -= plan[i];
                    if (!wishes[i].decodes) {
                        wishes[i].rowsGiven += plan[i];
                        wishes[i].rows = left[i];
                    } else if (left[i] == 0) {
                        wishes[i].rows = 0;
                    }
                }
                QVERIFY(rows > 0 && rows <= limits.rows && sequences <= limits.sequences);
                scheduler.measured(decodeRows, rows - decodeRows, 3.0 + rows * 0.4);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestScheduler)
#include "test_scheduler.moc"
