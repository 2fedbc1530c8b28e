// Public bug reports about a full or a warm context, group K: what must not happen here.
//
// K01 is about cache types (tests/engine/test_cache_types.cpp). K08 is about a number that only the server's door takes.
#include "engine/loaded_model.h"
#include "engine/model/key_shift.h"
#include "tests/engine/letters_model.h"
#include "tests/engine/loaded_engine.h"
#include "tests/engine/tiny_weights.h"

#include <QTemporaryDir>

#include <fstream>
#include <limits>

using namespace steelyard;

class TestContextCases : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    // A model of so much context with weights that say something.
    std::string load(LoadedEngine& engine, uint32_t context) {
        const std::string path = m_folder.filePath("model.gguf").toStdString(), bytes = withWeights(letters(context, kPlain));
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return engine.load(path, "cpu");
    }
    std::string oneLayer(uint32_t context) {
        TinyModel model = letters(context, kPlain);
        model.key("llama.block_count", uint32_t(1));
        const std::string path = m_folder.filePath("one.gguf").toStdString(), bytes = withWeights(model.withoutThoseOf("blk.1."));
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return path;
    }
    // Reads ids from `from` on; the logits of the last.
    static std::vector<float> readInto(Transformer& transformer, CachedSequence& sequence, const std::vector<int32_t>& ids, uint32_t from) {
        const auto end = static_cast<uint32_t>(ids.size());
        if (transformer.cache().extend(sequence, end)) qFatal("no room");
        Step step;
        for (uint32_t i = from; i < end; ++i) {
            step.ids.push_back(ids[i]);
            step.positions.push_back(static_cast<int32_t>(i));
            step.sequences.push_back(0);
        }
        step.tables = {&sequence};
        step.outputRows = {static_cast<int32_t>(end - from) - 1};
        if (!transformer.run(step)) qFatal("the step failed");
        transformer.cache().commit(sequence, end);
        const auto logits = transformer.logits();
        return {logits->begin(), logits->end()};
    }
    static GenerateRequest fresh(GenerateRequest request) {
        request.chat = 0;
        request.id += 5000;
        return request;
    }

private slots:
    // Fill the context, go on, answer again; then read everything anew: the same greedy text.
    void k04_textAfterTurnsWereLeftOutIsThatOfAFreshStart() {
        LoadedEngine engine;
        QCOMPARE(load(engine, 400), std::string());
        auto messages = talk(1, 40);
        bool dropped = false;
        for (int turn = 0; turn < 8; ++turn) {
            auto request = engine.request(chatPrompt(messages), 20);
            request.overflow = Overflow::DropOldest;
            request.chat = 7;
            const auto answer = engine.generate(request), again = engine.generate(fresh(request));
            QCOMPARE(answer.ids, again.ids);
            const auto left = answer.end.statistics.droppedMessages;
            if (left > 0 && answer.end.statistics.promptTokens + 20 <= 400) { // left out before the reply, not in its middle
                // What is left, sent as a chat of its own, gives the same too.
                dropped = true;
                auto kept = messages;
                kept.erase(kept.begin() + 1, kept.begin() + 1 + static_cast<std::ptrdiff_t>(left));
                QCOMPARE(engine.generate(engine.request(chatPrompt(kept), 20)).ids, answer.ids);
            }
            messages.push_back({"assistant", answer.text, ""});
            messages.push_back({"user", std::string(40, static_cast<char>('a' + turn)), ""});
        }
        QVERIFY(dropped);
    }

    // In a model of one layer a key holds nothing of the tokens before it: there a shifted cache is that of a fresh start, but for the
    // rounding of its type. Each type that a key can have, from f32 to four bits with a rotation.
    void k02_keysAreTurnedToTheirNewPositionsInEveryType_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("bound");
        QTest::newRow("f32") << int(TensorType::F32) << 1e-9;
        QTest::newRow("f16") << int(TensorType::F16) << 1e-5;
        QTest::newRow("q8_0") << int(TensorType::Q8_0) << 1e-3;
        QTest::newRow("q5_1") << int(TensorType::Q5_1) << 2e-2;
        QTest::newRow("q4_0") << int(TensorType::Q4_0) << 8e-2;
    }
    void k02_keysAreTurnedToTheirNewPositionsInEveryType() {
        QFETCH(int, type);
        QFETCH(double, bound);
        LoadRequest request;
        request.path = oneLayer(512);
        request.device = "cpu";
        request.kvTypeK = static_cast<TensorType>(type);
        request.kvTypeV = TensorType::F32;
        std::atomic<bool> cancelled = false;
        const auto model = loadModel(request, {}, {}, cancelled);
        QVERIFY2(bool(model), model.sentence().c_str());
        QVERIFY(whyNoShift((*model)->transformer->spec()).empty());
        std::vector<int32_t> ids;
        for (int32_t i = 0; i < 150; ++i) ids.push_back(i * 37 % 90);
        auto& transformer = *(*model)->transformer;
        CachedSequence shifted, fresh;
        readInto(transformer, shifted, ids, 0);
        const auto done = removeTokens(transformer.spec(), transformer.cache(), shifted, 32, 64, [](size_t) { return false; });
        QVERIFY(done && *done);
        QCOMPARE(shifted.length, 86u);
        ids.erase(ids.begin() + 32, ids.begin() + 96);
        readInto(transformer, fresh, ids, 0);
        ids.push_back(5);
        const auto ofShifted = readInto(transformer, shifted, ids, 86), ofFresh = readInto(transformer, fresh, ids, 86);
        double difference = 0, size = 0;
        for (size_t i = 0; i < ofFresh.size(); ++i) {
            difference += double(ofShifted[i] - ofFresh[i]) * double(ofShifted[i] - ofFresh[i]);
            size += double(ofFresh[i]) * double(ofFresh[i]);
        }
        QVERIFY2(difference / size < bound, qPrintable(QString::number(difference / size)));
        transformer.cache().release(shifted);
        transformer.cache().release(fresh);
    }

    // Beyond the limit with a shift allowed: the reply goes on, says that it is approximate, and leaves nothing for others.
    void k02_aShiftedReplyGoesOnAndSaysSo() {
        LoadedEngine engine;
        QCOMPARE(load(engine, 400), std::string());
        auto request = engine.request(chatPrompt(talk(4, 40)), 300);
        request.overflow = Overflow::Shift;
        request.sampling.logitBias = {{kLettersEnd, -std::numeric_limits<float>::infinity()}};
        request.chat = 3;
        const auto answer = engine.generate(request);
        QCOMPARE(answer.end.reason, StopReason::TokenLimit);
        QCOMPARE(answer.ids.size(), size_t(300));
        QVERIFY(answer.end.statistics.shiftedTokens > 0);
        QCOMPARE(answer.end.statistics.droppedMessages, 0u);
        auto next = engine.request(chatPrompt(talk(4, 40)), 4);
        next.chat = 3;
        QCOMPARE(engine.generate(next).ids, engine.generate(fresh(next)).ids);
        // A model whose layers see a window is not shifted: turns are left out instead, exactly.
        QCOMPARE(engine.load(std::string(STEELYARD_TEST_DATA) + "/architectures/gemma3-dense.gguf", "cpu", TensorType::F16, 64), std::string());
        std::vector<int32_t> ids;
        for (int32_t i = 0; i < 60; ++i) ids.push_back(i * 7 % 120 + 1);
        auto windowed = engine.request(idsPrompt(ids), 40);
        windowed.overflow = Overflow::Shift;
        const auto stopped = engine.generate(windowed);
        QCOMPARE(stopped.end.statistics.shiftedTokens, 0u);
        QCOMPARE(stopped.end.reason, StopReason::ContextFull);
    }

    // A full context and a next message of a length that has broken shifting: it works, and the message is read whole.
    void k05_theNextMessageIsReadWholeInAFullContext() {
        LoadedEngine engine;
        QCOMPARE(load(engine, 600), std::string());
        for (size_t length = 431; length <= 454; length += 4) {
            auto messages = talk(6, 40);
            messages.back().content = std::string(length, 'z');
            auto request = engine.request(chatPrompt(messages), 10);
            request.overflow = Overflow::DropOldest;
            request.chat = 2;
            const auto answer = engine.generate(request);
            QCOMPARE(answer.end.reason, StopReason::TokenLimit);
            QVERIFY(answer.end.statistics.promptTokens > length);
            QCOMPARE(answer.ids, engine.generate(fresh(request)).ids);
        }
    }

    void k07_aWarmPrefixGivesTheSameTextThreeTimes() {
        LoadedEngine engine;
        QCOMPARE(load(engine, 1024), std::string());
        std::vector<std::vector<int32_t>> answers;
        for (int i = 0; i < 3; ++i) {
            auto request = engine.request(chatPrompt(talk(9, 40)), 16);
            request.chat = 1;
            answers.push_back(engine.generate(request).ids);
        }
        QCOMPARE(answers[1], answers[0]);
        QCOMPARE(answers[2], answers[0]);
    }

    void k07_aWarmPrefixOfARealModelToo() {
        const std::string path = modelFolder() + "/" + kSmolLm2;
        if (!std::filesystem::exists(path)) QSKIP("the model is not in STEELYARD_MODEL_CACHE");
        LoadedEngine engine;
        QCOMPARE(engine.load(path, "cpu", TensorType::F16, 3400), std::string());
        std::vector<int32_t> ids;
        for (int32_t i = 0; i < 3339; ++i) ids.push_back(i * 37 % 40000 + 100);
        std::vector<std::vector<int32_t>> answers;
        for (int i = 0; i < 3; ++i) {
            auto request = engine.request(idsPrompt(ids), 16);
            request.chat = 1;
            answers.push_back(engine.generate(request).ids);
        }
        QCOMPARE(answers[1], answers[0]);
        QCOMPARE(answers[2], answers[0]);
    }

    // A password in the first line and far too much text behind it: never an answer without a word about it.
    void k10_nothingIsCutInSilence() {
        LoadedEngine engine;
        QCOMPARE(load(engine, 320), std::string());
        const std::string text = "The password is ANANAS-7734.\n" + std::string(1600, 'x') + "\nWhat is the password?";
        for (const auto overflow : {Overflow::Stop, Overflow::DropOldest, Overflow::Error}) {
            auto request = engine.request(chatPrompt({{"user", text, ""}}), 20);
            request.overflow = overflow;
            const auto answer = engine.generate(request);
            QVERIFY(answer.end.reason == StopReason::ContextFull || answer.end.reason == StopReason::Failed);
            QVERIFY(answer.ids.empty());
            const auto sentence = QString::fromStdString(answer.end.sentence);
            QVERIFY2(sentence.contains("320") || sentence.contains("300"), qPrintable(sentence)); // what has room
            QVERIFY2(sentence.contains("16"), qPrintable(sentence));                               // what there is
        }
        // As one of several messages it may go, but the reply says so.
        auto request = engine.request(chatPrompt({{"user", "The password is ANANAS-7734." + std::string(280, 'x'), ""}, {"assistant", "Good.", ""}, {"user", "What is the password?", ""}}), 20);
        request.overflow = Overflow::DropOldest;
        const auto answer = engine.generate(request);
        QCOMPARE(answer.end.statistics.droppedMessages, 2u);
        QVERIFY(answer.end.statistics.droppedTokens > 280);
    }

    // A prompt a few tokens below, at and beyond the limit: nothing goes, nothing goes, one turn goes.
    void k11_noMoreIsLeftOutThanNeeded() {
        LoadedEngine engine;
        QCOMPARE(load(engine, 600), std::string());
        for (const int beyond : {-5, 0, 5}) {
            auto messages = talk(6, 30);
            auto request = engine.request(chatPrompt(messages), 0);
            const auto tokens = static_cast<int>(engine.generate(request).end.statistics.promptTokens);
            messages.back().content += std::string(static_cast<size_t>(600 + beyond - tokens), 'q');
            request = engine.request(chatPrompt(messages), 1);
            request.overflow = Overflow::DropOldest;
            const auto answer = engine.generate(request);
            QCOMPARE(answer.end.statistics.droppedMessages, beyond > 0 ? 2u : 0u);
            if (beyond <= 0) QCOMPARE(answer.end.statistics.promptTokens, static_cast<uint32_t>(600 + beyond));
            QVERIFY(answer.end.statistics.promptTokens > 500);
        }
    }
};

QTEST_GUILESS_MAIN(TestContextCases)
#include "test_context_cases.moc"
