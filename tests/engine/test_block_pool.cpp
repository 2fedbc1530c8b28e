// The block pool and the paged cache: whatever is done, no block is lost or held twice.
#include "engine/backend/cpu/cpu_device.h"
#include "engine/cache/kept_sequences.h"
#include "engine/sampling/random.h"

#include <QtTest>

using namespace steelyard;

namespace {

// One full and one windowed layer, small enough to think about.
CacheLayout smallLayout(uint32_t context, uint32_t window) {
    return *CacheLayout::make({{1, 8, 8, 0}, {2, 8, 8, window}}, {}, {context, 32, 2});
}

} // namespace

class TestBlockPool : public QObject {
    Q_OBJECT

private slots:
    void givesEachBlockOnceAndNeverTheScratchBlock() {
        BlockPool pool(9);
        std::vector<int32_t> taken;
        while (const auto block = pool.take()) taken.push_back(*block);
        std::sort(taken.begin(), taken.end());
        QCOMPARE(taken, (std::vector<int32_t>{1, 2, 3, 4, 5, 6, 7, 8}));
        QVERIFY(!pool.take());
    }

    void freesABlockWhenItsLastHolderLetsGo() {
        BlockPool pool(2);
        const int32_t block = *pool.take();
        pool.hold(block);
        pool.release(block);
        QCOMPARE(pool.freeBlocks(), 0u);
        pool.release(block);
        QCOMPARE(pool.freeBlocks(), 1u);
    }

    void staysWholeUnderRandomUse() {
        BlockPool pool(65);
        std::vector<int32_t> held; // one entry per holder
        for (uint64_t turn = 0; turn < 200000; ++turn) {
            const uint64_t dice = mixedBits(turn);
            if (dice % 3 == 0) {
                if (const auto block = pool.take()) held.push_back(*block);
            } else if (!held.empty()) {
                const size_t index = static_cast<size_t>(mixedBits(dice) % held.size());
                if (dice % 3 == 1) {
                    pool.hold(held[index]);
                    held.push_back(held[index]);
                } else {
                    pool.release(held[index]);
                    held[index] = held.back();
                    held.pop_back();
                }
            }
            if (held.size() > 500) {
                for (const int32_t block : held) pool.release(block);
                held.clear();
            }
        }
        for (const int32_t block : held) pool.release(block);
        QCOMPARE(pool.freeBlocks(), pool.totalBlocks());
    }

    void cacheGivesBackWhatAWindowHasPassed() {
        const auto device = openCpu(1, true);
        auto cache = KvCache::create(*device, smallLayout(512, 64));
        QVERIFY(cache.ok());
        CachedSequence sequence;
        for (uint32_t length = 32; length <= 512; length += 32) {
            QVERIFY(cache->extend(sequence, length));
            cache->commit(sequence, length);
        }
        const auto held = [&](size_t group) {
            return std::count_if(sequence.tables[group].begin(), sequence.tables[group].end(), [](int32_t block) { return block >= 0; });
        };
        QCOMPARE(held(0), 16);
        QVERIFY(held(1) <= 3); // 64 positions touch at most three blocks
        QVERIFY(cache->canResume(sequence, 512));
        QVERIFY(!cache->canResume(sequence, 100)); // the window before it is gone
        cache->release(sequence);
        QCOMPARE(cache->bytesHeld(), uint64_t(0));
    }

    void cacheTruncatesWhereItCanResume() {
        const auto device = openCpu(1, true);
        auto cache = KvCache::create(*device, smallLayout(256, 64));
        QVERIFY(cache.ok());
        CachedSequence sequence;
        QVERIFY(cache->extend(sequence, 60));
        cache->commit(sequence, 60);
        QVERIFY(cache->canResume(sequence, 33));
        cache->truncate(sequence, 33);
        QCOMPARE(sequence.length, 33u);
        QCOMPARE(sequence.tables[0].size(), size_t(2));
        cache->truncate(sequence, 0);
        QCOMPARE(cache->bytesHeld(), uint64_t(0));
    }

    void cacheRefusesMoreThanItHolds() {
        const auto device = openCpu(1, true);
        auto cache = KvCache::create(*device, smallLayout(64, 64));
        QVERIFY(cache.ok());
        CachedSequence first, second;
        QVERIFY(cache->extend(first, 64));
        QVERIFY(!cache->extend(second, 32));
        cache->release(first);
        QVERIFY(cache->extend(second, 32));
        cache->release(second);
    }

    void keptSequencesDropTheOldestFirst() {
        const auto device = openCpu(1, true);
        auto cache = KvCache::create(*device, smallLayout(128, 64));
        QVERIFY(cache.ok());
        KeptSequences kept;
        for (uint64_t chat = 1; chat <= 2; ++chat) {
            CachedSequence sequence;
            QVERIFY(cache->extend(sequence, 32));
            cache->commit(sequence, 32);
            kept.keep(*cache, {chat, std::vector<int32_t>(32, 7), std::move(sequence)});
        }
        QVERIFY(kept.dropOldest(*cache));
        QVERIFY(!kept.take(1));
        QVERIFY(kept.forget(*cache, 2));
        QVERIFY(kept.empty());
        QCOMPARE(cache->bytesHeld(), uint64_t(0));
    }
};

QTEST_APPLESS_MAIN(TestBlockPool)
#include "test_block_pool.moc"
