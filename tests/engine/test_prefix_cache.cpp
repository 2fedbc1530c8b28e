// The prefix tree and what is built on it: chats that go on, branch, are edited, forgotten and squeezed out, at random and for
// long. Whatever happens, what a chat is given was made of exactly its tokens, and in the end no block is lost.
#include "engine/backend/cpu/cpu_device.h"
#include "engine/cache/prefix_cache.h"
#include "engine/sampling/random.h"

#include <QtTest>

#include <cstring>
#include <map>

using namespace steelyard;

namespace {

constexpr uint32_t kDim = 8; // of the one head of every layer

// A number for a beginning of a chat; different beginnings have different ones.
uint64_t extended(uint64_t prefix, int32_t token) { return mixedBits(prefix * 31 + static_cast<uint64_t>(token) + 1); }

std::vector<uint64_t> prefixNumbers(const std::vector<int32_t>& ids) {
    std::vector<uint64_t> numbers{1};
    for (const int32_t id : ids) numbers.push_back(extended(numbers.back(), id));
    return numbers; // [n] is that of the first n tokens
}

// A cache whose entries are such numbers instead of keys: entry e of a group is the number of the tokens that it sums up.
class NumberedCache {
public:
    NumberedCache(const std::vector<CacheLayer>& layers, CacheSize size)
        : m_device(openCpu(1, true)),
          m_cache(*KvCache::create(*m_device, *CacheLayout::make(layers, {TensorType::F32, TensorType::F32}, size))) {}

    KvCache& cache() { return m_cache; }
    Device& device() { return *m_device; }

    // What a step that reads positions [from, to) leaves.
    void write(const CachedSequence& sequence, const std::vector<uint64_t>& numbers, uint32_t from, uint32_t to) {
        forEachEntry(sequence, from, to, [&](uint64_t* entry, uint32_t end) { *entry = numbers[end]; });
        if (sequence.state) *state(sequence) = numbers[to];
    }
    // Whether everything that a token at `length` may look at is what these tokens gave.
    bool holds(const CachedSequence& sequence, const std::vector<uint64_t>& numbers, uint32_t length) {
        bool right = true;
        forEachEntry(sequence, 0, length, [&](uint64_t* entry, uint32_t end) { right = right && *entry == numbers[end]; });
        return right && (!sequence.state || *state(sequence) == numbers[length]);
    }

private:
    template <class Each>
    void forEachEntry(const CachedSequence& sequence, uint32_t from, uint32_t to, Each&& each) {
        for (uint32_t group = 0; group < m_cache.layout().groups().size(); ++group) {
            const auto& layout = m_cache.layout().groups()[group];
            for (uint32_t position = from; position < to; ++position) {
                if ((position + 1) % layout.ratio != 0 || position < (from == 0 ? windowStart(layout.window, to) : 0)) continue;
                const uint32_t entry = position / layout.ratio;
                const int32_t block = sequence.tables[group].at(entry / ops::kBlockTokens);
                if (block <= 0) qFatal("an entry has no block");
                const uint64_t address = m_cache.groupAddress(group) + static_cast<uint64_t>(block) * layout.blockBytes +
                                         ops::cacheRowOffset(ops::CacheType::F32, 0, entry, kDim);
                each(reinterpret_cast<uint64_t*>(address), position + 1);
            }
        }
    }
    uint64_t* state(const CachedSequence& sequence) {
        return reinterpret_cast<uint64_t*>(m_cache.stateAddress() + *sequence.state * m_cache.layout().stateBytes());
    }

    std::unique_ptr<Device> m_device;
    KvCache m_cache;
};

struct Kind {
    std::vector<CacheLayer> layers;
    CacheSize size;
};

Kind kindNamed(const QString& name) {
    const CacheLayer full{1, kDim, kDim, 0}, window{1, kDim, kDim, 40}, compressed{1, kDim, 0, 0, 4};
    if (name == "full") return {{full}, {640, 32, 1}};
    if (name == "windowed") return {{full, window}, {640, 32, 3}};
    if (name == "recurrent") return {{full}, {640, 32, 4, 64}};
    return {{window, compressed}, {640, 32, 4, 64}}; // compressed keys: a window, a state, and entries of four tokens
}

} // namespace

class TestPrefixCache : public QObject {
    Q_OBJECT

private:
    // One turn of a chat as the engine takes it; false when the cache has no room.
    static bool takeTurn(NumberedCache& numbered, PrefixCache& prefixes, uint64_t chat, std::vector<int32_t>& ids, uint32_t reply, uint64_t seed, uint32_t* reused) {
        auto& cache = numbered.cache();
        auto numbers = prefixNumbers(ids);
        auto reuse = prefixes.resume(chat, ids, false);
        auto& sequence = reuse.sequence;
        *reused = sequence.length;
        if (sequence.length >= ids.size()) qFatal("the last token must be read");
        if (sequence.length > 0 && !numbered.holds(sequence, numbers, sequence.length)) qFatal("a chat was given what other tokens made");
        const auto prompt = static_cast<uint32_t>(ids.size());
        while (sequence.length < prompt) {
            uint32_t to = std::min(prompt, sequence.length + 32);
            if (cache.hasStates() && sequence.length + 1 < prompt) to = std::min(to, prompt - 1);
            if (!prefixes.makeRoom(sequence, to)) {
                cache.release(sequence);
                return false;
            }
            numbered.write(sequence, numbers, sequence.length, to);
            if (prefixes.needsPoints() && to == (cache.hasStates() ? prompt - 1 : prompt)) prefixes.keepPoint({ids.data(), to}, sequence, false);
            cache.commit(sequence, to);
        }
        for (uint32_t i = 0; i < reply; ++i) {
            ids.push_back(static_cast<int32_t>(mixedBits(seed + i) % 3));
            numbers.push_back(extended(numbers.back(), ids.back()));
            if (i + 1 == reply) break; // sampled, not read
            if (!prefixes.makeRoom(sequence, static_cast<uint32_t>(ids.size()))) break;
            numbered.write(sequence, numbers, sequence.length, static_cast<uint32_t>(ids.size()));
            cache.commit(sequence, static_cast<uint32_t>(ids.size()));
        }
        if (!numbered.holds(sequence, numbers, sequence.length)) qFatal("a sequence lost what it wrote");
        std::vector<int32_t> read(ids.begin(), ids.begin() + sequence.length), unread(ids.begin() + sequence.length, ids.end());
        prefixes.keep(chat, std::move(read), std::move(unread), sequence, false);
        return true;
    }

private slots:
    void nobodyIsGivenWhatOtherTokensMade_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"full", "windowed", "recurrent", "compressed"}) QTest::newRow(kind) << QString(kind);
    }

    void nobodyIsGivenWhatOtherTokensMade() {
        QFETCH(QString, kind);
        const Kind chosen = kindNamed(kind);
        NumberedCache numbered(chosen.layers, chosen.size);
        {
            PrefixCache prefixes(numbered.device(), numbered.cache());
            std::map<uint64_t, std::vector<int32_t>> chats;
            uint64_t operations = 0, reusedTokens = 0, turn = 0;
            while (operations < kOperations) {
                const uint64_t dice = mixedBits(++turn);
                const uint64_t chat = dice % 7 + 1;
                auto& ids = chats[chat];
                switch (mixedBits(dice) % 8) {
                case 0: // a new chat, perhaps with the beginning of another
                    ids = chats[mixedBits(dice + 1) % 7 + 1];
                    break;
                case 1:
                    ids.clear();
                    prefixes.forget(chat);
                    break;
                case 2:
                case 3: // an edit
                    ids.resize(mixedBits(dice + 2) % (ids.size() + 1));
                    break;
                default: break;
                }
                const uint64_t added = mixedBits(dice + 3) % 60 + 1;
                for (uint64_t i = 0; i < added; ++i) ids.push_back(static_cast<int32_t>(mixedBits(dice + 4 + i) % 3));
                if (ids.size() > 560) ids.resize(mixedBits(dice + 5) % 200 + 1);
                uint32_t reused = 0;
                QVERIFY(takeTurn(numbered, prefixes, chat, ids, static_cast<uint32_t>(mixedBits(dice + 6) % 40 + 1), dice, &reused));
                reusedTokens += reused;
                operations += ids.size() - reused;
            }
            QVERIFY2(reusedTokens > operations / 10, qPrintable(QString::number(reusedTokens)));
            for (uint64_t chat = 1; chat <= 7; ++chat) prefixes.forget(chat);
            QCOMPARE(prefixes.idleBytes(), numbered.cache().bytesHeld()); // nothing belongs to anybody any more
        }
        QCOMPARE(numbered.cache().bytesHeld(), uint64_t(0));
    }

    void chatsThatBeginAlikeShareBlocks() {
        NumberedCache numbered({{1, kDim, kDim, 0}}, {640, 32, 1});
        PrefixCache prefixes(numbered.device(), numbered.cache());
        std::vector<int32_t> ids(100, 5);
        uint32_t reused = 0;
        auto first = ids, second = ids;
        second.push_back(7);
        QVERIFY(takeTurn(numbered, prefixes, 1, first, 1, 3, &reused));
        QCOMPARE(reused, 0u);
        const uint64_t bytes = numbered.cache().bytesHeld();
        QVERIFY(takeTurn(numbered, prefixes, 2, second, 1, 3, &reused));
        QCOMPARE(reused, 100u);
        QVERIFY(numbered.cache().bytesHeld() <= bytes + numbered.cache().layout().groups()[0].blockBytes);
        prefixes.forget(1);
        QVERIFY(takeTurn(numbered, prefixes, 2, second, 1, 3, &reused));
        QCOMPARE(reused, 101u); // what they shared is still there
    }

    // A chat whose layers keep states can go on from where a turn ended, and from before its last answer.
    void aTurnCanBeAnsweredAgain_data() { nobodyIsGivenWhatOtherTokensMade_data(); }

    void aTurnCanBeAnsweredAgain() {
        QFETCH(QString, kind);
        const Kind chosen = kindNamed(kind);
        NumberedCache numbered(chosen.layers, chosen.size);
        PrefixCache prefixes(numbered.device(), numbered.cache());
        std::vector<int32_t> prompt(75, 4);
        uint32_t reused = 0;
        auto ids = prompt;
        QVERIFY(takeTurn(numbered, prefixes, 1, ids, 30, 3, &reused));
        auto again = prompt;
        QVERIFY(takeTurn(numbered, prefixes, 1, again, 30, 4, &reused));
        QCOMPARE(reused, 74u);
        ids.push_back(1);
        QVERIFY(takeTurn(numbered, prefixes, 1, ids, 30, 5, &reused)); // the first answer goes on
        QCOMPARE(reused, 104u);
    }

    void theLeastRecentlyUsedGoesFirst() {
        NumberedCache numbered({{1, kDim, kDim, 0}}, {128, 32, 1}); // four blocks
        PrefixCache prefixes(numbered.device(), numbered.cache());
        uint32_t reused = 0;
        for (const int32_t token : {1, 2, 1, 3}) {
            std::vector<int32_t> ids(33, token);
            QVERIFY(takeTurn(numbered, prefixes, static_cast<uint64_t>(token), ids, 1, 3, &reused));
            QCOMPARE(reused, token == 1 && prefixes.turnOf(2) ? 32u : 0u);
        }
        std::vector<int32_t> one(33, 1), two(33, 2);
        QCOMPARE(prefixes.resume(2, two, false).why, std::string("evicted"));
        auto kept = prefixes.resume(1, one, false);
        QCOMPARE(kept.sequence.length, 32u);
        numbered.cache().release(kept.sequence);
    }

    void theReasonSaysWhyTheRestIsRead() {
        NumberedCache numbered({{1, kDim, kDim, 0}}, {640, 32, 1});
        PrefixCache prefixes(numbered.device(), numbered.cache());
        std::vector<int32_t> ids(70, 4);
        const auto why = [&](const std::vector<int32_t>& prompt, bool longFactors = false) {
            auto reuse = prefixes.resume(1, prompt, longFactors);
            numbered.cache().release(reuse.sequence);
            return reuse.why;
        };
        QCOMPARE(why(ids), std::string("first turn"));
        uint32_t reused = 0;
        QVERIFY(takeTurn(numbered, prefixes, 1, ids, 5, 3, &reused));
        QCOMPARE(why(ids), std::string());
        auto next = ids;
        next.insert(next.end(), 20, 9);
        QCOMPARE(why(next), std::string());
        next[30] = 8;
        QCOMPARE(why(next), std::string("edited message"));
        QCOMPARE(why(ids, true), std::string("rope factors"));
    }

private:
    static constexpr uint64_t kOperations = 1000000;
};

QTEST_APPLESS_MAIN(TestPrefixCache)
#include "test_prefix_cache.moc"
