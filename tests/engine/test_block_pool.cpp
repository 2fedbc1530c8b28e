// The block pool and the paged cache: whatever is done, no block is lost or held twice.
#include "engine/backend/cpu/cpu_device.h"
#include "engine/cache/kv_cache.h"
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
            QVERIFY(!cache->extend(sequence, length));
            cache->commit(sequence, length);
        }
        const auto held = [&](size_t group) {
            return std::count_if(sequence.tables[group].begin(), sequence.tables[group].end(), [](int32_t block) { return block >= 0; });
        };
        QCOMPARE(held(0), 16);
        QVERIFY(held(1) <= 3); // 64 positions touch at most three blocks
        cache->release(sequence);
        QCOMPARE(cache->bytesHeld(), uint64_t(0));
    }

    void trimmingGivesBackWhatLiesBehindTheEnd() {
        const auto device = openCpu(1, true);
        auto cache = KvCache::create(*device, smallLayout(256, 64));
        QVERIFY(cache.ok());
        CachedSequence sequence;
        QVERIFY(!cache->extend(sequence, 100));
        cache->commit(sequence, 60);
        cache->trim(sequence);
        QCOMPARE(sequence.tables[0].size(), size_t(2));
        cache->release(sequence);
        QCOMPARE(cache->bytesHeld(), uint64_t(0));
    }

    // A compressed group has one entry for several tokens, and blocks only for whole entries.
    void compressedGroupsGrowSlowly() {
        const auto device = openCpu(1, true);
        auto cache = KvCache::create(*device, *CacheLayout::make({{1, 8, 0, 0, 4}}, {}, {512, 32, 1}));
        QVERIFY(cache.ok());
        CachedSequence sequence;
        QVERIFY(!cache->extend(sequence, 3));
        QCOMPARE(sequence.tables[0].size(), size_t(0));
        QVERIFY(!cache->extend(sequence, 128));
        QCOMPARE(sequence.tables[0].size(), size_t(1));
        QVERIFY(!cache->extend(sequence, 132));
        QCOMPARE(sequence.tables[0].size(), size_t(2));
        QCOMPARE(cache->layout().groups()[0].kind(), std::string("compressed"));
        QCOMPARE(cache->layout().growingBytesPerToken(), uint64_t(8 * 2 / 4));
    }

    // Who goes on in the middle of a block gets a copy with the same bytes, unless nobody else holds it.
    void aSharedBlockIsCopiedBeforeItIsWritten() {
        const auto device = openCpu(1, true);
        auto cache = KvCache::create(*device, smallLayout(256, 64));
        QVERIFY(cache.ok());
        CachedSequence sequence;
        QVERIFY(!cache->extend(sequence, 40));
        cache->commit(sequence, 40);
        const auto never = [](size_t) { return false; };
        auto before = sequence.tables;
        QVERIFY(cache->makeOwn(sequence, never));
        QCOMPARE(sequence.tables, before);
        const int32_t shared = sequence.tables[0][1];
        cache->pools()[0].hold(shared);
        const uint64_t bytes = cache->layout().groups()[0].blockBytes;
        auto* memory = reinterpret_cast<uint8_t*>(cache->groupAddress(0));
        for (uint64_t i = 0; i < bytes; ++i) memory[static_cast<uint64_t>(shared) * bytes + i] = static_cast<uint8_t>(i * 7);
        QVERIFY(cache->makeOwn(sequence, never));
        QVERIFY(device->synchronize().ok());
        const int32_t own = sequence.tables[0][1];
        QVERIFY(own != shared);
        QVERIFY(std::equal(memory + static_cast<uint64_t>(shared) * bytes, memory + static_cast<uint64_t>(shared + 1) * bytes, memory + static_cast<uint64_t>(own) * bytes));
        QCOMPARE(cache->pools()[0].holders(shared), 1u);
        cache->pools()[0].release(shared);
        cache->release(sequence);
        QCOMPARE(cache->bytesHeld(), uint64_t(0));
    }

    void cacheRefusesMoreThanItHolds() {
        const auto device = openCpu(1, true);
        auto cache = KvCache::create(*device, smallLayout(64, 64));
        QVERIFY(cache.ok());
        CachedSequence first, second;
        QVERIFY(!cache->extend(first, 64));
        QCOMPARE(cache->extend(second, 32), std::optional<size_t>(0));
        cache->release(first);
        QVERIFY(!cache->extend(second, 32));
        cache->release(second);
    }
};

QTEST_APPLESS_MAIN(TestBlockPool)
#include "test_block_pool.moc"
