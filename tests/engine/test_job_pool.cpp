// The bounded job pool: everything submitted runs, loops cover each index once, and a full pool says no.
#include "engine/core/job_pool.h"

#include <QtTest>

#include <semaphore>

using namespace steelyard;

class TestJobPool : public QObject {
    Q_OBJECT

private slots:
    void destructionFinishesAcceptedJobs();
    void fullPoolRefuses();
    void forEachCoversEachIndexOnce();
    void forEachWorksWhenThePoolIsBusy();
};

void TestJobPool::destructionFinishesAcceptedJobs() {
    std::atomic<int> done{0};
    {
        JobPool pool(2, 8);
        for (int i = 0; i < 50; ++i) pool.submit([&] { ++done; });
    }
    QCOMPARE(done.load(), 50);
}

void TestJobPool::fullPoolRefuses() {
    std::binary_semaphore started{0}, release{0};
    std::atomic<bool> ran{false};
    {
        JobPool pool(1, 1);
        pool.submit([&] {
            started.release();
            release.acquire();
        });
        started.acquire();
        QVERIFY(pool.trySubmit([&] { ran = true; }));
        QVERIFY(!pool.trySubmit([] {}));
        release.release();
    }
    QVERIFY(ran.load());
}

void TestJobPool::forEachCoversEachIndexOnce() {
    JobPool pool(3);
    for (const uint64_t count : {0, 1, 2, 3, 1000}) {
        std::vector<std::atomic<int>> seen(count);
        pool.forEach(count, [&](uint64_t i) { ++seen[i]; });
        for (const auto& times : seen) QCOMPARE(times.load(), 1);
    }
}

void TestJobPool::forEachWorksWhenThePoolIsBusy() {
    std::binary_semaphore started{0}, release{0};
    JobPool pool(1, 1);
    pool.submit([&] {
        started.release();
        release.acquire();
    });
    started.acquire();
    std::atomic<uint64_t> sum{0};
    pool.forEach(100, [&](uint64_t i) { sum += i; });
    QCOMPARE(sum.load(), uint64_t(4950));
    release.release();
}

QTEST_GUILESS_MAIN(TestJobPool)
#include "test_job_pool.moc"
