// Chats whose cache leaves the device, is kept in memory and on disk, and comes back: also after the program was closed. Whatever
// happens, nobody is given what other tokens made, and answers are those of a fresh start.
#include "tests/engine/loaded_engine.h"
#include "tests/engine/numbered_cache.h"

#include "engine/cache/move_rule.h"
#include "engine/cache/warm_chats.h"

#include <QTemporaryDir>

#include <map>
#include <thread>

using namespace steelyard;
namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMostBytes = 64 << 20;

std::string tinyModel(const QString& name) { return std::string(STEELYARD_TEST_DATA) + "/architectures/" + name.toStdString() + ".gguf"; }

std::vector<int32_t> randomIds(uint64_t seed, uint32_t count) {
    std::vector<int32_t> ids;
    for (uint32_t i = 0; i < count; ++i) ids.push_back(static_cast<int32_t>(mixedBits(seed * 1000 + i) % 127));
    return ids;
}

// What the engine answers in a chat, or in none.
LoadedEngine::Answer ask(LoadedEngine& engine, uint64_t chat, const std::vector<int32_t>& ids, bool temporary = false) {
    auto request = engine.request(idsPrompt(ids), 8);
    request.chat = chat;
    request.temporary = temporary;
    return engine.generate(request);
}

std::vector<int32_t> joined(std::vector<int32_t> ids, const std::vector<int32_t>& more) {
    ids.insert(ids.end(), more.begin(), more.end());
    return ids;
}

} // namespace

class TestWarmChats : public QObject {
    Q_OBJECT

    static void eachKind() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"full", "windowed", "recurrent", "compressed"}) QTest::newRow(kind) << QString(kind);
    }
    static void eachModel() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"llama-dense", "gemma3-dense", "deepseek2-heads", "qwen35-dense"}) QTest::newRow(model) << QString(model);
    }

private slots:
    void nobodyIsGivenWhatOtherTokensMade_data() { eachKind(); }

    void nobodyIsGivenWhatOtherTokensMade() {
        QFETCH(QString, kind);
        const Kind chosen = kindNamed(kind);
        QTemporaryDir folder;
        std::map<uint64_t, std::vector<int32_t>> chats;
        uint64_t turn = 0, fromDisk = 0, fromMemory = 0;
        for (int session = 0; session < 4; ++session) {
            CacheDisk disk({});
            disk.use(folder.path().toStdString(), 2 << 20);
            NumberedCache numbered(chosen.layers, chosen.size);
            {
                PrefixCache prefixes(numbered.cache());
                WarmChats warm(numbered.cache(), prefixes, disk, {CacheKey{}, 24 << 10, {}});
                for (int step = 0; step < 60; ++step) {
                    const uint64_t dice = mixedBits(++turn), chat = dice % 6 + 1;
                    auto& ids = chats[chat];
                    switch (mixedBits(dice) % 8) {
                    case 0: ids = chats[mixedBits(dice + 1) % 6 + 1]; break;
                    case 1:
                        ids.clear();
                        prefixes.forget(chat);
                        warm.forget(chat);
                        disk.forget(chat);
                        break;
                    case 2: ids.resize(mixedBits(dice + 2) % (ids.size() + 1)); break;
                    default: break;
                    }
                    const uint64_t added = mixedBits(dice + 3) % 60 + 1;
                    for (uint64_t i = 0; i < added; ++i) ids.push_back(static_cast<int32_t>(mixedBits(dice + 4 + i) % 3));
                    if (ids.size() > 400) ids.resize(mixedBits(dice + 5) % 200 + 1);
                    while (!warm.looked(chat)) std::this_thread::yield();
                    while (!warm.bringBack(chat, ids, false)) std::this_thread::yield();
                    auto reuse = prefixes.resume(chat, ids, false);
                    fromDisk += reuse.fromDisk;
                    fromMemory += reuse.fromMemory;
                    numbered.cache().release(reuse.sequence);
                    uint32_t reused = 0;
                    QVERIFY(takeTurn(numbered, prefixes, chat, ids, static_cast<uint32_t>(mixedBits(dice + 6) % 40 + 1), dice, &reused));
                    warm.saveAhead();
                }
                warm.saveAll(1e9);
            }
            QCOMPARE(numbered.cache().bytesHeld(), uint64_t(0));
        }
        QVERIFY(fromDisk > 0);
        QVERIFY(fromMemory > 0);
        QVERIFY(CacheFolder(folder.path().toStdString(), 0).bytes() <= (2 << 20) + 6 * 4096);
    }

    void pagesAreMovedWhereThatIsFaster() {
        QVERIFY(!worthMoving({31, 1, 100, 1e6}));        // too few
        QVERIFY(worthMoving({1000, 1 << 20, 0, 1e6}));   // nobody knows yet
        QVERIFY(worthMoving({1000, 46 << 20, 3, 2e6}));  // 24 ms or 3 s
        QVERIFY(!worthMoving({1000, 46 << 20, 0.01, 2e6})); // 24 ms or 10 ms
    }

    void memoryHoldsOnlySoMuch() {
        KeptImages kept(100);
        const std::vector<uint8_t> bytes(60);
        const auto image = [&](size_t size) {
            auto made = std::make_shared<PageImage>();
            made->bytes = std::span(bytes).first(size);
            return made;
        };
        kept.put(1, image(40));
        kept.put(2, image(40));
        kept.put(1, image(50)); // in place of the other
        QCOMPARE(kept.bytes(), uint64_t(90));
        kept.put(3, image(30));
        QVERIFY(!kept.find(2) && kept.find(1) && kept.find(3));
        kept.remove(1);
        QCOMPARE(kept.bytes(), uint64_t(30));
        KeptImages none(10);
        none.put(1, image(40));
        QVERIFY(!none.find(1));
    }

    void aReopenedChatAnswersAsAFreshOne_data() { eachModel(); }

    void aReopenedChatAnswersAsAFreshOne() {
        QFETCH(QString, model);
        QTemporaryDir folder;
        const auto prompt = randomIds(1, 150);
        std::vector<int32_t> first;
        {
            LoadedEngine engine;
            QVERIFY(engine.engine.keepChats(folder.path().toStdString(), kMostBytes));
            QCOMPARE(engine.load(tinyModel(model), "cpu", TensorType::F16, 320), std::string());
            first = ask(engine, 5, prompt).ids;
        } // the program is closed
        LoadedEngine engine;
        QVERIFY(engine.engine.keepChats(folder.path().toStdString(), kMostBytes));
        QCOMPARE(engine.load(tinyModel(model), "cpu", TensorType::F16, 320), std::string());
        const auto next = joined(joined(prompt, first), randomIds(2, 20));
        const auto answer = ask(engine, 5, next), fresh = ask(engine, 0, next);
        QVERIFY2(answer.end.statistics.reusedFromDisk >= 150, qPrintable(QString::number(answer.end.statistics.reusedFromDisk)));
        QCOMPARE(answer.end.statistics.reuseReason, std::string());
        QCOMPARE(answer.ids, fresh.ids);
        const auto again = ask(engine, 5, prompt); // the first answer once more
        QCOMPARE(again.ids, first);
        // The model goes and comes back.
        QVERIFY(engine.engine.unload(engine.model()));
        QCOMPARE(engine.load(tinyModel(model), "cpu", TensorType::F16, 320), std::string());
        const auto later = joined(prompt, first);
        const auto reloaded = ask(engine, 5, later);
        QVERIFY(reloaded.end.statistics.reusedFromDisk >= 149);
        QCOMPARE(reloaded.ids, ask(engine, 0, later).ids);
    }

    // The pages of a model that is divided over devices are put together from all of them, and divided again.
    void aChatOfADividedModelIsReopened_data() { eachModel(); }

    void aChatOfADividedModelIsReopened() {
        QFETCH(QString, model);
        QTemporaryDir folder;
        LoadRequest load;
        load.path = tinyModel(model);
        load.device = "emulated";
        load.contextLength = 320;
        load.gpuLayers = 1;
        const auto prompt = randomIds(1, 150);
        std::vector<int32_t> first;
        {
            LoadedEngine engine;
            QVERIFY(engine.engine.keepChats(folder.path().toStdString(), kMostBytes));
            if (const auto problem = engine.load(load); !problem.empty()) {
                if (qEnvironmentVariableIsSet("STEELYARD_REQUIRE_DEVICES")) QFAIL(problem.c_str());
                QSKIP(problem.c_str());
            }
            QCOMPARE(engine.facts.deviceId, std::string("emulated,cpu"));
            first = ask(engine, 5, prompt).ids;
        }
        LoadedEngine engine;
        QVERIFY(engine.engine.keepChats(folder.path().toStdString(), kMostBytes));
        QCOMPARE(engine.load(load), std::string());
        const auto next = joined(joined(prompt, first), randomIds(2, 20));
        const auto answer = ask(engine, 5, next), fresh = ask(engine, 0, next);
        QVERIFY2(answer.end.statistics.reusedFromDisk >= 150, qPrintable(QString::number(answer.end.statistics.reusedFromDisk)));
        QCOMPARE(answer.ids, fresh.ids);
    }

    void aChatThatWasSqueezedOutComesBack_data() { eachModel(); }

    void aChatThatWasSqueezedOutComesBack() {
        QFETCH(QString, model);
        LoadedEngine engine;
        QCOMPARE(engine.load(tinyModel(model), "cpu", TensorType::F16, 200), std::string());
        std::map<uint64_t, std::vector<int32_t>> chats;
        for (uint64_t chat = 1; chat <= 6; ++chat) chats[chat] = joined(randomIds(chat, 120), ask(engine, chat, randomIds(chat, 120)).ids);
        const auto next = joined(chats[1], randomIds(9, 5));
        const auto answer = ask(engine, 1, next);
        QVERIFY2(answer.end.statistics.reusedFromMemory >= 119, qPrintable(QString::number(answer.end.statistics.reusedFromMemory)));
        QCOMPARE(answer.ids, ask(engine, 0, next).ids);
    }

    void otherTypesOrModelsTakeNothingUp() {
        QTemporaryDir folder;
        const auto prompt = randomIds(1, 150);
        {
            LoadedEngine engine;
            QVERIFY(engine.engine.keepChats(folder.path().toStdString(), kMostBytes));
            QCOMPARE(engine.load(tinyModel("llama-dense"), "cpu", TensorType::F16, 320), std::string());
            ask(engine, 5, prompt);
        }
        LoadedEngine engine;
        QVERIFY(engine.engine.keepChats(folder.path().toStdString(), kMostBytes));
        QCOMPARE(engine.load(tinyModel("llama-dense"), "cpu", TensorType::F32, 320), std::string());
        QCOMPARE(ask(engine, 5, prompt).end.statistics.reusedTokens, 0u);
        QCOMPARE(engine.load(tinyModel("qwen2-dense"), "cpu", TensorType::F16, 320), std::string());
        QCOMPARE(ask(engine, 5, prompt).end.statistics.reusedTokens, 0u);
        QCOMPARE(engine.load(tinyModel("llama-dense"), "cpu", TensorType::F16, 320), std::string());
        QVERIFY(ask(engine, 5, prompt).end.statistics.reusedFromDisk >= 149);
    }

    void aForgottenChatAndATemporaryOneLeaveNoFile() {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        const auto prompt = randomIds(1, 150);
        {
            LoadedEngine engine;
            QVERIFY(engine.engine.keepChats(path, kMostBytes));
            QCOMPARE(engine.load(tinyModel("llama-dense"), "cpu", TensorType::F16, 320), std::string());
            ask(engine, 5, prompt);
            ask(engine, 6, randomIds(2, 150), true);
        }
        const CacheFolder kept(path, 0);
        const uint64_t one = kept.bytes();
        QVERIFY(one > 0);
        QCOMPARE(std::distance(fs::directory_iterator(path), fs::directory_iterator()), std::ptrdiff_t(1));
        LoadedEngine engine;
        QVERIFY(engine.engine.keepChats(path, kMostBytes));
        QVERIFY(engine.engine.forgetChat(5)); // no model is loaded
        QTRY_COMPARE(Engine::keptChatsBytes(path), uint64_t(0));
    }

    void whatIsOffKeepsNothing() {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        {
            LoadedEngine engine;
            QVERIFY(engine.engine.keepChats(path, kMostBytes));
            QVERIFY(engine.engine.keepChats({}, 0));
            QCOMPARE(engine.load(tinyModel("llama-dense"), "cpu", TensorType::F16, 320), std::string());
            ask(engine, 5, randomIds(1, 150));
        }
        QCOMPARE(Engine::keptChatsBytes(path), uint64_t(0));
    }

    void aDamagedFileIsReadAnew() {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        const auto prompt = randomIds(1, 150);
        std::vector<int32_t> first;
        {
            LoadedEngine engine;
            QVERIFY(engine.engine.keepChats(path, kMostBytes));
            QCOMPARE(engine.load(tinyModel("llama-dense"), "cpu", TensorType::F16, 320), std::string());
            first = ask(engine, 5, prompt).ids;
        }
        for (const auto& entry : fs::directory_iterator(path)) fs::resize_file(entry.path(), entry.file_size() / 2);
        LoadedEngine engine;
        QVERIFY(engine.engine.keepChats(path, kMostBytes));
        QCOMPARE(engine.load(tinyModel("llama-dense"), "cpu", TensorType::F16, 320), std::string());
        const auto answer = ask(engine, 5, prompt);
        QCOMPARE(answer.end.statistics.reusedTokens, 0u);
        QCOMPARE(answer.ids, first);
        QCOMPARE(Engine::keptChatsBytes(path), uint64_t(0));
    }

    // Two replies that do not fit together: one gives its place back, its pages wait in memory, and both answer as if alone.
    void aReplyThatGaveItsPlaceBackGoesOn_data() { eachModel(); }

    void aReplyThatGaveItsPlaceBackGoesOn() {
        QFETCH(QString, model);
        LoadedEngine engine;
        QCOMPARE(engine.load(tinyModel(model), "cpu", TensorType::F16, 256), std::string());
        std::vector<std::vector<int32_t>> alone, together;
        const auto request = [&](uint64_t seed, uint64_t chat) {
            auto made = engine.request(idsPrompt(randomIds(seed, 110)), 60);
            made.chat = chat;
            return made;
        };
        for (uint64_t seed = 1; seed <= 2; ++seed) alone.push_back(engine.generate(request(seed, 0)).ids);
        const auto one = request(1, 1), two = request(2, 2);
        QVERIFY(engine.engine.submit(one));
        QVERIFY(engine.engine.submit(two));
        std::map<RequestId, LoadedEngine::Answer> answers;
        while (answers.size() < 2 || answers[one.id].end.id == 0 || answers[two.id].end.id == 0)
            for (auto& event : engine.engine.waitForEvents(1000)) {
                if (auto* delta = std::get_if<TextDelta>(&event)) {
                    auto& ids = answers[delta->id].ids;
                    ids.insert(ids.end(), delta->ids.begin(), delta->ids.end());
                }
                if (auto* end = std::get_if<GenerationFinished>(&event)) answers[end->id].end = *end;
            }
        QCOMPARE(answers[one.id].ids, alone[0]);
        QCOMPARE(answers[two.id].ids, alone[1]);
    }

    void aFileOfTheCallers() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "chat.kept";
        const auto prompt = randomIds(1, 150);
        LoadedEngine engine;
        QCOMPARE(engine.load(tinyModel("llama-dense"), "cpu", TensorType::F16, 320), std::string());
        QVERIFY(!engine.engine.saveChat(engine.model(), 5, file).ok()); // nothing there yet
        const auto first = ask(engine, 5, prompt).ids;
        const auto saved = engine.engine.saveChat(engine.model(), 5, file);
        QVERIFY2(saved.ok(), saved.sentence().c_str());
        QCOMPARE(*saved, 157u);
        QVERIFY(engine.engine.forgetChat(5));
        const auto restored = engine.engine.restoreChat(engine.model(), 6, file);
        QVERIFY2(restored.ok(), restored.sentence().c_str());
        QCOMPARE(*restored, 157u);
        const auto answer = ask(engine, 6, prompt);
        QCOMPARE(answer.end.statistics.reusedFromDisk, 149u);
        QCOMPARE(answer.ids, first);
        QCOMPARE(engine.load(tinyModel("qwen2-dense"), "cpu", TensorType::F16, 320), std::string());
        QVERIFY(!engine.engine.restoreChat(engine.model(), 6, file).ok());
    }
};

QTEST_GUILESS_MAIN(TestWarmChats)
#include "test_warm_chats.moc"
