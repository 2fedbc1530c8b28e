// The prefix tree and what is built on it: chats that go on, branch, are edited, forgotten and squeezed out, at random and for
// long. Whatever happens, what a chat is given was made of exactly its tokens, and in the end no block is lost.
#include "tests/engine/numbered_cache.h"

#include <map>

using namespace steelyard;

class TestPrefixCache : public QObject {
    Q_OBJECT

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
            PrefixCache prefixes(numbered.cache());
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
        PrefixCache prefixes(numbered.cache());
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
        PrefixCache prefixes(numbered.cache());
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
        PrefixCache prefixes(numbered.cache());
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
        PrefixCache prefixes(numbered.cache());
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
