// What a step consists of: decoding rows first, prompts by predicted time, the one that had least first.
#include "engine/sampling/random.h"
#include "engine/scheduler/scheduler.h"
#include "engine/scheduler/waiting.h"

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

    void guessesGetWhatIsLeft() {
        const Scheduler scheduler = practised(10, 1);
        StepWish guessing = decoding();
        guessing.rows = 9;
        QCOMPARE(scheduler.plan({guessing, decoding(), guessing}, {16, 8, 16}), (StepPlan{9, 1, 6}));
        QCOMPARE(scheduler.plan({guessing, guessing, guessing, guessing}, {64, 8, 4}), (StepPlan{1, 1, 1, 1}));
        QCOMPARE(scheduler.plan({guessing}, {64, 8, 64}), (StepPlan{9}));
    }

    void promptsOfAHigherClassGoFirstAndLeaveAShare() {
        const Scheduler scheduler = practised(10, 1);
        StepWish background = reading(4000);
        background.priority = 1;
        const auto plan = scheduler.plan({background, reading(4000)}, kLimits);
        QVERIFY(plan[1] > 2 * plan[0]);
        QVERIFY(plan[0] > 0);
        QCOMPARE(scheduler.plan({background}, kLimits)[0], scheduler.plan({reading(4000)}, kLimits)[0]);
    }

    void readingAheadNeedsAStepOfItsOwn() {
        const Scheduler scheduler = practised(10, 1);
        StepWish ahead = reading(4000);
        ahead.priority = 0;
        QCOMPARE(scheduler.plan({ahead, decoding()}, kLimits), (StepPlan{0, 1}));
        QCOMPARE(scheduler.plan({ahead, reading(10)}, kLimits), (StepPlan{0, 10}));
        QVERIFY(scheduler.plan({ahead}, kLimits)[0] > 0);
    }

    void timesBetweenMeasuredNumbersOfRowsAreInterpolated() {
        Scheduler scheduler;
        QCOMPARE(scheduler.decodeMs(3), 0.0);
        scheduler.measured(1, 0, 10);
        QCOMPARE(scheduler.decodeMs(4), 10.0);
        scheduler.measured(5, 0, 18);
        QCOMPARE(scheduler.decodeMs(3), 14.0);
        QCOMPARE(scheduler.decodeMs(12), 18.0);
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

    // Requests come, are taken up, put aside, read, decode with guesses and leave, a million steps of all these: the limits hold, who decodes is
    // served, no class but reading ahead waits without end, and in the end nobody is left.
    void aMillionStepsKeepTheRules() {
        struct Work {
            int priority;
            uint32_t prompt, tokens;
            uint64_t given = 0;
            int came = 0, lastServed = 0;
        };
        constexpr size_t kPlaces = 8;
        constexpr int kRounds = 120, kStepsPerRound = 8000;
        uint64_t operations = 0;
        for (uint64_t round = 1; round <= uint64_t(kRounds); ++round) {
            Scheduler scheduler;
            std::vector<Work> waiting, running;
            uint64_t dice = round * 7777;
            const auto next = [&] { return dice = mixedBits(dice); };
            for (int step = 0; step < kStepsPerRound || !waiting.empty() || !running.empty(); ++step) {
                QVERIFY2(step < 4 * kStepsPerRound, "the work never ends");
                if (step < kStepsPerRound && next() % 8 == 0) {
                    waiting.push_back({static_cast<int>(next() % 3), static_cast<uint32_t>(next() % 60 + 1), static_cast<uint32_t>(next() % 20 + 1), 0, step, step});
                    ++operations;
                }
                while (!waiting.empty()) {
                    const auto claim = [&](const Work& work) { return Claim{work.priority, 100.0 * (step - work.came)}; };
                    std::vector<Claim> claims, places;
                    for (const auto& work : waiting) claims.push_back(claim(work));
                    const size_t chosen = *nextOf(claims);
                    if (running.size() == kPlaces) {
                        for (const auto& work : running) places.push_back(claim(work));
                        const auto yields = yieldsTo(claims[chosen], places);
                        if (!yields) break;
                        QVERIFY(running[*yields].priority < waiting[chosen].priority);
                        waiting.push_back(running[*yields]);
                        running.erase(running.begin() + static_cast<std::ptrdiff_t>(*yields));
                    }
                    running.push_back(waiting[chosen]);
                    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(chosen));
                    ++operations;
                }
                if (running.empty()) continue;
                std::vector<StepWish> wishes;
                for (const auto& work : running) {
                    const bool decodes = work.prompt == 0;
                    wishes.push_back({decodes ? static_cast<uint32_t>(1 + next() % 4) : work.prompt, decodes, work.given, false, work.priority});
                }
                const StepLimits limits{static_cast<uint32_t>(16 + next() % 100), kPlaces, static_cast<uint32_t>(8 + next() % 20)};
                const auto plan = scheduler.plan(wishes, limits);
                uint32_t rows = 0, decodeRows = 0, outputs = 0;
                for (size_t i = 0; i < plan.size(); ++i) {
                    QVERIFY(plan[i] <= wishes[i].rows);
                    rows += plan[i];
                    if (wishes[i].decodes) {
                        QVERIFY(plan[i] >= 1);
                        decodeRows += plan[i];
                    }
                    outputs += wishes[i].decodes ? plan[i] : plan[i] > 0;
                    auto& work = running[i];
                    if (plan[i] > 0) work.lastServed = step;
                    if (wishes[i].decodes) work.tokens -= std::min(work.tokens, plan[i]);
                    else work.prompt -= plan[i];
                    if (!wishes[i].decodes) work.given += plan[i];
                    if (work.priority > 0) QVERIFY2(step - work.lastServed < 400, "a place is held without a step");
                    ++operations;
                }
                QVERIFY(rows > 0 && rows <= limits.rows && outputs <= limits.outputs);
                scheduler.measured(decodeRows, rows - decodeRows, 2.0 + 0.1 * decodeRows + 0.3 * (rows - decodeRows));
                for (size_t i = running.size(); i-- > 0;)
                    if (running[i].tokens == 0) running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
        QVERIFY2(operations > 1000000, qPrintable(QString::number(operations)));
    }
};

QTEST_APPLESS_MAIN(TestScheduler)
#include "test_scheduler.moc"
