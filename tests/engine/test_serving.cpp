// What the engine decides between requests: who goes first, what is read ahead, what is left out of a full context, and why a prompt
// was read again.
#include "engine/reuse_reason.h"
#include "engine/sampling/random.h"
#include "engine/scheduler/waiting.h"
#include "tests/engine/letters_model.h"
#include "tests/engine/loaded_engine.h"

#include <QTemporaryDir>

#include <fstream>
#include <map>

using namespace steelyard;

namespace {

constexpr const char* kDropsReasoning = "{% for m in messages %}[{{ m.role }}]{% if loop.last and m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}"
                                        "{{ m.content }}\n{% endfor %}[assistant]";

} // namespace

class TestServing : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string put(const TinyModel& model, const char* name = "model.gguf") {
        const std::string path = m_folder.filePath(name).toStdString(), bytes = model.bytes();
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return path;
    }

private slots:
    // --- who goes first

    void theHigherClassGoesFirstAndThenWhoCameFirst() {
        QVERIFY(!nextOf({}));
        QCOMPARE(*nextOf({{1, 50}, {2, 10}, {2, 20}, {0, 900}}), size_t(2));
        QCOMPARE(*nextOf({{0, 5}, {1, 1}}), size_t(1));
    }

    void whoWaitsLongRisesButReadingAheadDoesNot() {
        QCOMPARE(*nextOf({{1, 20000}, {2, 10}}), size_t(0));
        QCOMPARE(*nextOf({{0, 1e9}, {1, 1}}), size_t(1));
    }

    void placesAreGivenUpToHigherClassesOnly() {
        const std::vector<Claim> running{{2, 100}, {1, 300}, {1, 200}, {2, 50}};
        QVERIFY(!yieldsTo({1, 1e9}, running));
        QCOMPARE(*yieldsTo({2, 0}, running), size_t(2)); // the youngest of the lowest class
        QCOMPARE(*yieldsTo({1, 0}, {{2, 1}, {0, 5}}), size_t(1));
    }

    // Whatever comes and goes, everybody but reading ahead is taken up at last.
    void nobodyWaitsForEver() {
        for (uint64_t seed = 1; seed <= 200; ++seed) {
            std::vector<Claim> waiting{{1, 0}};
            bool served = false;
            for (int round = 0; round < 200 && !served; ++round) {
                waiting.push_back({2, 0}); // the visible chat asks all the time
                if (mixedBits(seed * 1000 + static_cast<uint64_t>(round)) % 3 == 0) waiting.push_back({0, 0});
                const size_t next = *nextOf(waiting);
                served = waiting[next].priority == 1;
                waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(next));
                for (auto& claim : waiting) claim.waitedMs += 500;
            }
            QVERIFY(served);
        }
    }

    void theVisibleChatTakesThePlaceOfAnother() {
        LoadedEngine engine;
        QCOMPARE(engine.load(std::string(STEELYARD_TEST_DATA) + "/architectures/llama-dense.gguf", "cpu", TensorType::F16, 2048), std::string());
        std::map<RequestId, std::vector<int32_t>> alone;
        std::vector<GenerateRequest> requests;
        for (int32_t i = 0; i < 12; ++i) {
            std::vector<int32_t> ids;
            for (int32_t t = 0; t < 20; ++t) ids.push_back((t * 7 + i * 13) % 120 + 1);
            requests.push_back(engine.request(idsPrompt(ids), i == 11 ? 20 : 120));
            requests.back().priority = i == 11 ? Priority::Foreground : Priority::Background;
            auto single = requests.back();
            single.id += 1000;
            alone[requests.back().id] = engine.generate(single).ids;
        }
        for (const auto& request : requests) engine.engine.submit(request);
        std::map<RequestId, std::vector<int32_t>> ids;
        std::vector<RequestId> ended;
        while (ended.size() < requests.size())
            for (auto& event : engine.engine.waitForEvents(1000)) {
                if (auto* delta = std::get_if<TextDelta>(&event)) ids[delta->id].insert(ids[delta->id].end(), delta->ids.begin(), delta->ids.end());
                if (auto* end = std::get_if<GenerationFinished>(&event)) ended.push_back(end->id);
            }
        QCOMPARE(ended.front(), requests.back().id);
        QCOMPARE(ids, alone); // those put aside went on where they were
    }

    // --- reading ahead

    void whatWasReadWhileTypingIsReused() {
        LoadedEngine engine;
        QCOMPARE(engine.load(put(letters(512, kPlain)), "cpu"), std::string());
        auto ahead = engine.request(chatPrompt({{"system", "be kind", ""}, {"user", "what is the weather like in the nor", ""}}), 0);
        ahead.prompt.stillWriting = true;
        ahead.priority = Priority::ReadAhead;
        ahead.chat = 9;
        const auto nothing = engine.generate(ahead);
        QCOMPARE(nothing.end.reason, StopReason::TokenLimit);
        QVERIFY(nothing.ids.empty());
        auto request = engine.request(chatPrompt({{"system", "be kind", ""}, {"user", "what is the weather like in the north of Spain?", ""}}), 2);
        request.chat = 9;
        const auto answer = engine.generate(request);
        const std::string fast = "[system]be kind\n[user]what is the weather like in the";
        QCOMPARE(answer.end.statistics.reusedTokens, static_cast<uint32_t>(fast.size()));
        auto fresh = request;
        fresh.chat = 0;
        fresh.id += 100;
        QCOMPARE(engine.generate(fresh).ids, answer.ids);
    }

    void readingAheadGivesWayToItsOwnChat() {
        LoadedEngine engine;
        QCOMPARE(engine.load(put(letters(2048, kPlain)), "cpu"), std::string());
        auto ahead = engine.request(chatPrompt({{"user", std::string(1500, 'x') + " y", ""}}), 0);
        ahead.prompt.stillWriting = true;
        ahead.priority = Priority::ReadAhead;
        ahead.chat = 4;
        auto request = engine.request(chatPrompt({{"user", "hello", ""}}), 3);
        request.chat = 4;
        engine.engine.submit(ahead);
        engine.engine.submit(request);
        std::vector<RequestId> ended;
        while (ended.size() < 2)
            for (auto& event : engine.engine.waitForEvents(1000))
                if (auto* end = std::get_if<GenerationFinished>(&event)) ended.push_back(end->id);
        QCOMPARE(ended.front(), ahead.id);
    }

    // --- a full context

    void theOldestTurnsAreLeftOutAndNoMoreThanNeeded() {
        LoadedEngine engine;
        QCOMPARE(engine.load(put(letters(400, kPlain)), "cpu"), std::string());
        // Turns of 2 * 40 letters and their frames; a few tokens below, at and beyond what fits.
        for (const size_t turns : {2u, 3u, 4u, 6u, 9u}) {
            auto request = engine.request(chatPrompt(talk(turns, 40)), 8);
            request.overflow = Overflow::DropOldest;
            const auto answer = engine.generate(request);
            QCOMPARE(answer.end.reason, StopReason::TokenLimit);
            const auto& statistics = answer.end.statistics;
            QVERIFY(statistics.promptTokens <= 400 - 8);
            const uint32_t turnTokens = 40 * 2 + 7 + 12; // letters, "[user]" and "\n", "[assistant]" and "\n"
            if (statistics.droppedMessages > 0) {
                QCOMPARE(statistics.droppedMessages % 2, 0u);
                QVERIFY2(statistics.promptTokens + turnTokens > 400 - 8, "one turn less would have been enough");
                QCOMPARE(statistics.droppedTokens, statistics.droppedMessages / 2 * turnTokens);
            } else {
                QVERIFY(turns <= 4);
            }
        }
    }

    void aReplyThatOutgrowsTheContextGoesOnWithoutTheOldest() {
        LoadedEngine engine;
        QCOMPARE(engine.load(put(letters(400, kPlain)), "cpu"), std::string());
        auto request = engine.request(chatPrompt(talk(4, 40)), 150);
        request.overflow = Overflow::DropOldest;
        request.chat = 3;
        const auto answer = engine.generate(request);
        QCOMPARE(answer.end.reason, StopReason::TokenLimit);
        QCOMPARE(answer.end.statistics.generatedTokens, 150u);
        QVERIFY(answer.end.statistics.droppedMessages > 0);
    }

    void stoppingSaysWhatWouldGo() {
        LoadedEngine engine;
        QCOMPARE(engine.load(put(letters(400, kPlain)), "cpu"), std::string());
        const auto answer = engine.generate(engine.request(chatPrompt(talk(9, 40)), 8));
        QCOMPARE(answer.end.reason, StopReason::ContextFull);
        QVERIFY(answer.ids.empty());
        auto request = engine.request(chatPrompt(talk(9, 40)), 8);
        request.overflow = Overflow::DropOldest;
        const auto dropped = engine.generate(request);
        QCOMPARE(answer.end.statistics.wouldDropMessages, dropped.end.statistics.droppedMessages);
        QCOMPARE(answer.end.statistics.wouldDropTokens, dropped.end.statistics.droppedTokens);
    }

    void anErrorIsASentenceWithBothNumbers() {
        LoadedEngine engine;
        QCOMPARE(engine.load(put(letters(400, kPlain)), "cpu"), std::string());
        auto request = engine.request(chatPrompt(talk(9, 40)), 8);
        request.overflow = Overflow::Error;
        const auto answer = engine.generate(request);
        QCOMPARE(answer.end.reason, StopReason::Failed);
        QVERIFY(QString::fromStdString(answer.end.sentence).contains("400"));
        // One message that is too long alone: nothing can be left out.
        request = engine.request(chatPrompt({{"system", "be kind", ""}, {"user", std::string(500, 'x'), ""}}), 8);
        request.overflow = Overflow::DropOldest;
        const auto tooLong = engine.generate(request);
        QCOMPARE(tooLong.end.reason, StopReason::Failed);
        QVERIFY(QString::fromStdString(tooLong.end.sentence).contains("longer context"));
    }

    // --- why a prompt was read again

    void droppedReasoningIsNamed() {
        LoadedEngine engine;
        QCOMPARE(engine.load(put(letters(512, kDropsReasoning)), "cpu"), std::string());
        std::vector<ChatMessage> messages{{"user", "hello", ""}, {"assistant", "good day", "they greet me"}};
        auto request = engine.request(chatPrompt(messages), 1);
        request.chat = 2;
        engine.generate(request);
        messages.push_back({"user", "and now?", ""});
        request = engine.request(chatPrompt(messages), 1);
        request.chat = 2;
        QCOMPARE(engine.generate(request).end.statistics.reuseReason, std::string("template dropped reasoning"));
    }

    void aDateInTheSystemPromptIsNamed() {
        LoadedEngine engine;
        QCOMPARE(engine.load(put(letters(512, kPlain)), "cpu"), std::string());
        const auto ask = [&](const std::string& system, const std::string& user) {
            auto request = engine.request(chatPrompt({{"system", system, ""}, {"user", user, ""}}), 1);
            request.chat = 2;
            return engine.generate(request).end.statistics.reuseReason;
        };
        QCOMPARE(ask("Today is 2026-03-01.\nBe kind.", "hello you"), std::string("first turn"));
        QCOMPARE(ask("Today is 2026-03-02.\nBe kind.", "hello you"), std::string("date in system prompt"));
        QCOMPARE(ask("Today is 2026-03-02.\nBe short.", "hello you"), std::string("edited message"));
        QCOMPARE(ask("Today is 2026-03-02.\nBe short.", "hello me"), std::string("edited message"));
        QCOMPARE(ask("Today is 2026-03-02.\nBe short.", "at 10:20"), std::string("edited message"));
        QCOMPARE(ask("Today is 2026-03-02.\nBe short.", "at 10:21"), std::string("edited message"));
    }

    void aReloadedModelIsNamed() {
        LoadedEngine engine;
        const std::string path = put(letters(512, kPlain));
        QCOMPARE(engine.load(path, "cpu"), std::string());
        auto request = engine.request(chatPrompt({{"user", "hello", ""}}), 1);
        request.chat = 2;
        QCOMPARE(engine.generate(request).end.statistics.reuseReason, std::string("first turn"));
        QCOMPARE(engine.load(path, "cpu"), std::string());
        for (const uint64_t chat : {2u, 3u}) {
            request = engine.request(chatPrompt({{"user", "hello", ""}}), 1);
            request.chat = chat;
            QCOMPARE(engine.generate(request).end.statistics.reuseReason, std::string(chat == 2 ? "model reloaded" : "first turn"));
        }
        engine.engine.forgetChat(2);
        QCOMPARE(engine.load(path, "cpu"), std::string());
        request = engine.request(chatPrompt({{"user", "hello", ""}}), 1);
        request.chat = 2;
        QCOMPARE(engine.generate(request).end.statistics.reuseReason, std::string("first turn"));
    }
};

QTEST_GUILESS_MAIN(TestServing)
#include "test_serving.moc"
