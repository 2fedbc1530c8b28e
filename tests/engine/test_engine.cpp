// The engine as its clients see it: loads, replies, cancelling, what a chat's next turn reads, and failures in words.
#include "tests/engine/loaded_engine.h"

#include <QTemporaryDir>

#include <algorithm>
#include <fstream>
#include <set>

using namespace steelyard;

namespace {

const std::string kTiny = std::string(STEELYARD_TEST_DATA) + "/architectures/llama-dense.gguf";
const std::string kTwoRopes = std::string(STEELYARD_TEST_DATA) + "/architectures/phi3-rope-longrope.gguf"; // beyond 16 tokens

std::vector<int32_t> someIds(int count, int start = 3) {
    std::vector<int32_t> ids;
    for (int i = 0; i < count; ++i) ids.push_back((start + i * 29) % 127);
    return ids;
}

} // namespace

class TestEngine : public QObject {
    Q_OBJECT

private slots:
    void aReplyEndsAtTheTokenLimit() {
        LoadedEngine engine;
        QCOMPARE(engine.load(kTiny, "cpu"), std::string());
        const auto answer = engine.generate(engine.request(idsPrompt(someIds(10)), 12));
        QCOMPARE(answer.end.reason, StopReason::TokenLimit);
        QCOMPARE(answer.ids.size(), size_t(12));
        QCOMPARE(answer.end.statistics.promptTokens, 10u);
        QCOMPARE(answer.end.statistics.generatedTokens, 12u);
        QCOMPARE(answer.end.statistics.reusedTokens, 0u);
        QVERIFY(answer.end.statistics.prefillMs > 0);
    }

    void aFullContextEndsTheReplyAndSaysSo() {
        LoadedEngine engine;
        QCOMPARE(engine.load(kTiny, "cpu", TensorType::F16, 64), std::string());
        const auto answer = engine.generate(engine.request(idsPrompt(someIds(40)), -1));
        QCOMPARE(answer.end.reason, StopReason::ContextFull);
        QCOMPARE(answer.ids.size(), size_t(25)); // positions 40 to 63 are read, and one more token is sampled
        QVERIFY(QString::fromStdString(answer.end.sentence).contains("64"));
        const auto tooLong = engine.generate(engine.request(idsPrompt(someIds(65)), 4));
        QCOMPARE(tooLong.end.reason, StopReason::ContextFull);
        QVERIFY(QString::fromStdString(tooLong.end.sentence).contains("65"));
    }

    void aDiffusionModelSaysThatItCannotChatYet() {
        LoadedEngine engine;
        QCOMPARE(engine.load(std::string(STEELYARD_TEST_DATA) + "/architectures/dream-dense.gguf", "cpu"), std::string());
        const auto answer = engine.generate(engine.request(idsPrompt(someIds(10)), 4));
        QCOMPARE(answer.end.reason, StopReason::Failed);
        QVERIFY2(answer.end.sentence.find("diffusion") != std::string::npos, answer.end.sentence.c_str());
    }

    // A recurrent state cannot go back: the next turn goes on from it, another answer from where it stood before the last one, and
    // a change in between reads all again.
    void aRecurrentStateGoesOnButNeverBack() {
        LoadedEngine engine;
        QCOMPARE(engine.load(std::string(STEELYARD_TEST_DATA) + "/architectures/mamba2-dense.gguf", "cpu"), std::string());
        auto first = engine.request(idsPrompt(someIds(40)), 10);
        first.chat = 5;
        const auto one = engine.generate(first);
        auto ids = someIds(40);
        ids.insert(ids.end(), one.ids.begin(), one.ids.end());
        ids.push_back(9);
        auto second = engine.request(idsPrompt(ids), 10);
        second.chat = 5;
        const auto two = engine.generate(second);
        QCOMPARE(two.end.statistics.reusedTokens, 49u);
        const auto fresh = engine.generate(engine.request(idsPrompt(ids), 10));
        QCOMPARE(two.ids, fresh.ids);
        second.id = 900;
        const auto again = engine.generate(second);
        QCOMPARE(again.end.statistics.reusedTokens, 50u);
        QCOMPARE(again.ids, fresh.ids);
        ids[20] = 77;
        auto edited = engine.request(idsPrompt(ids), 10);
        edited.chat = 5;
        const auto three = engine.generate(edited);
        QCOMPARE(three.end.statistics.reusedTokens, 0u);
        QCOMPARE(three.end.statistics.reuseReason, std::string("recurrent state"));
        QCOMPARE(three.ids, engine.generate(engine.request(idsPrompt(ids), 10)).ids);
    }

    void theNextTurnReadsOnlyNewTokens() {
        LoadedEngine engine;
        QCOMPARE(engine.load(kTiny, "cpu"), std::string());
        auto first = engine.request(idsPrompt(someIds(40)), 10);
        first.chat = 5;
        const auto one = engine.generate(first);
        QCOMPARE(one.end.statistics.reuseReason, std::string("first turn"));
        auto ids = someIds(40);
        ids.insert(ids.end(), one.ids.begin(), one.ids.end());
        const auto more = someIds(7, 50);
        ids.insert(ids.end(), more.begin(), more.end());
        auto second = engine.request(idsPrompt(ids), 10);
        second.chat = 5;
        const auto two = engine.generate(second);
        QCOMPARE(two.end.statistics.reusedTokens, 49u); // all but the last token of the reply, which was never read
        QCOMPARE(two.end.statistics.reuseReason, std::string());

        LoadedEngine fresh;
        QCOMPARE(fresh.load(kTiny, "cpu"), std::string());
        QCOMPARE(fresh.generate(fresh.request(idsPrompt(ids), 10)).ids, two.ids);
    }

    void anEditedMessageReusesWhatStandsBeforeIt() {
        LoadedEngine engine;
        QCOMPARE(engine.load(kTiny, "cpu"), std::string());
        auto first = engine.request(idsPrompt(someIds(40)), 5);
        first.chat = 5;
        engine.generate(first);
        auto ids = someIds(40);
        ids[30] = 126;
        auto second = engine.request(idsPrompt(ids), 5);
        second.chat = 5;
        const auto two = engine.generate(second);
        QCOMPARE(two.end.statistics.reusedTokens, 30u);
        QCOMPARE(two.end.statistics.reuseReason, std::string("edited message"));
        LoadedEngine fresh;
        QCOMPARE(fresh.load(kTiny, "cpu"), std::string());
        QCOMPARE(fresh.generate(fresh.request(idsPrompt(ids), 5)).ids, two.ids);
    }

    // Two sets of rope factors: how long the chat is decides between them, never how much room there is for it.
    void roomDoesNotChooseTheRopeFactors() {
        LoadedEngine tight, wide;
        QCOMPARE(tight.load(kTwoRopes, "cpu", TensorType::F16, 16), std::string());
        QCOMPARE(wide.load(kTwoRopes, "cpu", TensorType::F16, 200), std::string());
        const auto one = tight.score(someIds(16)), two = wide.score(someIds(16)), longer = wide.score(someIds(17));
        QVERIFY(one.ok() && two.ok() && longer.ok());
        QVERIFY(*one == *two);
        QVERIFY(std::vector<float>(longer->begin(), longer->begin() + static_cast<std::ptrdiff_t>(two->size())) != *two);
    }

    // The 17th token turns by the long factors, and all before it are read again; each token is what a fresh pass gives.
    void aReplyThatOutgrowsTheShortRopeFactorsIsReadAgain() {
        LoadedEngine engine;
        QCOMPARE(engine.load(kTwoRopes, "cpu", TensorType::F16, 200), std::string());
        auto first = engine.request(idsPrompt(someIds(10)), 20);
        first.chat = 5;
        const auto answer = engine.generate(first);
        QCOMPARE(answer.ids.size(), size_t(20));
        auto ids = someIds(10);
        for (const int32_t id : answer.ids) {
            const auto logits = engine.score(ids, static_cast<uint32_t>(ids.size()) - 1);
            QVERIFY(logits.ok());
            QCOMPARE(id, static_cast<int32_t>(std::max_element(logits->begin(), logits->end()) - logits->begin()));
            ids.push_back(id);
        }
        auto next = engine.request(idsPrompt(ids), 5);
        next.chat = 5;
        QCOMPARE(engine.generate(next).end.statistics.reusedTokens, 29u);
        auto shorter = engine.request(idsPrompt(someIds(10)), 5);
        shorter.chat = 5;
        const auto again = engine.generate(shorter);
        QCOMPARE(again.end.statistics.reusedTokens, 0u);
        QCOMPARE(again.end.statistics.reuseReason, std::string("rope factors"));
        QCOMPARE(again.ids, std::vector<int32_t>(answer.ids.begin(), answer.ids.begin() + 5));
    }

    // What two chats have in common from their first token on is read once, and nothing else of one is ever seen by another.
    void chatsShareWhatBeginsAlikeAndNothingElse() {
        LoadedEngine engine;
        QCOMPARE(engine.load(kTiny, "cpu"), std::string());
        auto first = engine.request(idsPrompt(someIds(40)), 5);
        first.chat = 1;
        const auto one = engine.generate(first);
        auto ids = someIds(40);
        ids[25] = 126;
        auto second = engine.request(idsPrompt(ids), 5);
        second.chat = 2;
        const auto two = engine.generate(second);
        QCOMPARE(two.end.statistics.reusedTokens, 25u);
        QCOMPARE(two.end.statistics.reuseReason, std::string("first turn"));
        QCOMPARE(two.ids, engine.generate(engine.request(idsPrompt(ids), 5)).ids);
        ids[0] = 126;
        auto third = engine.request(idsPrompt(ids), 5);
        third.chat = 3;
        QCOMPARE(engine.generate(third).end.statistics.reusedTokens, 0u);
        engine.engine.forgetChat(2);
        auto again = engine.request(idsPrompt(someIds(40)), 5);
        again.chat = 1;
        const auto same = engine.generate(again);
        QCOMPARE(same.end.statistics.reusedTokens, 39u);
        QCOMPARE(same.ids, one.ids);
    }

    void cachesAreFreedWhenChatsAreForgotten() {
        LoadedEngine engine;
        QCOMPARE(engine.load(kTiny, "cpu"), std::string());
        auto request = engine.request(idsPrompt(someIds(40)), 5);
        request.chat = 9;
        engine.generate(request);
        QTRY_VERIFY(engine.engine.snapshot()->devices[0].use.kvUsedBytes > 0);
        engine.engine.forgetChat(9);
        QTRY_COMPARE(engine.engine.snapshot()->devices[0].use.kvUsedBytes, uint64_t(0));
    }

    void oldChatsGiveWayWhenTheCacheIsFull() {
        LoadedEngine engine;
        QCOMPARE(engine.load(kTiny, "cpu", TensorType::F16, 128), std::string());
        for (uint64_t chat = 1; chat <= 4; ++chat) {
            auto request = engine.request(idsPrompt(someIds(90)), 5);
            request.chat = chat;
            const auto answer = engine.generate(request);
            QCOMPARE(answer.end.reason, StopReason::TokenLimit);
        }
    }

    // Several replies run in the same steps, and each is what it would be alone.
    void repliesRunTogetherAndGiveWhatTheyGiveAlone_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<uint32_t>("context");
        for (const char* model : {"llama-dense", "gemma3-dense", "qwen35-dense", "deepseek4-tiny"}) QTest::addRow("%s", model) << model << 0u;
        // Room for one and a half of them: the younger ones give their place back and read again.
        for (const char* model : {"llama-dense", "gemma3-dense"}) QTest::addRow("%s in a small cache", model) << model << 160u;
    }

    void repliesRunTogetherAndGiveWhatTheyGiveAlone() {
        QFETCH(QString, model);
        QFETCH(uint32_t, context);
        LoadedEngine engine;
        QCOMPARE(engine.load(std::string(STEELYARD_TEST_DATA) + "/architectures/" + model.toStdString() + ".gguf", "cpu", TensorType::F16, context), std::string());
        std::vector<GenerateRequest> requests;
        for (int32_t i = 0; i < 6; ++i) {
            requests.push_back(engine.request(idsPrompt(someIds(30 + static_cast<size_t>(i) * 7, i + 3)), 60));
            requests.back().chat = i % 2 == 0 ? static_cast<uint64_t>(i) + 1 : 0;
        }
        std::map<RequestId, std::vector<int32_t>> alone, together;
        for (const auto& request : requests) {
            auto fresh = request;
            fresh.chat = 0;
            fresh.id += 1000;
            alone[request.id] = engine.generate(fresh).ids;
        }
        for (const auto& request : requests) engine.engine.submit(request);
        std::set<RequestId> begun; // before the first was done
        size_t ended = 0;
        while (ended < requests.size())
            for (auto& event : engine.engine.waitForEvents(1000)) {
                if (auto* progress = std::get_if<PromptProgress>(&event); progress && ended == 0) begun.insert(progress->id);
                if (auto* delta = std::get_if<TextDelta>(&event)) together[delta->id].insert(together[delta->id].end(), delta->ids.begin(), delta->ids.end());
                if (auto* end = std::get_if<GenerationFinished>(&event)) {
                    QVERIFY2(end->reason == StopReason::TokenLimit, end->sentence.c_str());
                    ++ended;
                }
            }
        QVERIFY(begun.size() > 1);
        QCOMPARE(together, alone);
        for (const auto& request : requests) engine.engine.forgetChat(request.chat);
        QTRY_COMPARE(engine.engine.snapshot()->devices[0].use.kvUsedBytes, uint64_t(0));
    }

    void cancellingEndsARunningReplyAndAWaitingOne() {
        LoadedEngine engine;
        QCOMPARE(engine.load(kTiny, "cpu", TensorType::F16, 256), std::string());
        auto running = engine.request(idsPrompt(someIds(4)), -1), waiting = engine.request(idsPrompt(someIds(4)), -1);
        engine.engine.submit(running);
        engine.engine.submit(waiting);
        engine.engine.cancel(waiting.id);
        engine.engine.cancel(running.id);
        std::map<RequestId, StopReason> ends;
        while (ends.size() < 2)
            for (auto& event : engine.engine.waitForEvents(1000))
                if (auto* end = std::get_if<GenerationFinished>(&event)) ends[end->id] = end->reason;
        QCOMPARE(ends[waiting.id], StopReason::Cancelled);
        QVERIFY(ends[running.id] == StopReason::Cancelled || ends[running.id] == StopReason::ContextFull);
    }

    void aRequestWithoutAModelFailsInWords() {
        LoadedEngine engine;
        const auto answer = engine.generate(engine.request(idsPrompt({1, 2}), 3));
        QCOMPARE(answer.end.reason, StopReason::Failed);
        QVERIFY(!answer.end.sentence.empty());
    }

    void badRequestsAreSentences() {
        LoadedEngine engine;
        QCOMPARE(engine.load(kTiny, "cpu"), std::string());
        const auto outside = engine.generate(engine.request(idsPrompt({1, 4000}), 3));
        QCOMPARE(outside.end.reason, StopReason::Failed);
        QVERIFY(QString::fromStdString(outside.end.sentence).contains("4000"));
        auto request = engine.request(idsPrompt({1, 2}), 3);
        request.sampling.topP = 7;
        QVERIFY(QString::fromStdString(engine.generate(request).end.sentence).contains("Top-p"));
        QCOMPARE(engine.generate(engine.request(idsPrompt({}), 3)).end.reason, StopReason::Failed);
    }

    void badFilesAreSentences() {
        QTemporaryDir folder;
        LoadedEngine engine;
        QVERIFY(!engine.load((folder.path() + "/absent.gguf").toStdString(), "cpu").empty());
        const std::string path = (folder.path() + "/short.gguf").toStdString();
        std::ifstream source(kTiny, std::ios::binary);
        std::string bytes((std::istreambuf_iterator<char>(source)), {});
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size() / 2));
        QVERIFY(!engine.load(path, "cpu").empty());
        QVERIFY(!engine.load(kTiny, "no-such-device").empty());
        QCOMPARE(engine.load(kTiny, "cpu"), std::string()); // and the engine goes on
    }

    void unloadingGivesTheMemoryBack() {
        LoadedEngine engine;
        QCOMPARE(engine.load(kTiny, "cpu"), std::string());
        QTRY_VERIFY(engine.engine.snapshot()->devices[0].use.weightsBytes > 0);
        engine.engine.unload(engine.model());
        QTRY_COMPARE(engine.engine.snapshot()->devices[0].use.totalBytes(), uint64_t(0));
        QVERIFY(!engine.engine.snapshot()->model.has_value());
    }

    void theSameSeedGivesTheSameText() {
        LoadedEngine engine;
        QCOMPARE(engine.load(kTiny, "cpu"), std::string());
        auto request = engine.request(idsPrompt(someIds(8)), 20);
        request.sampling = {};
        request.sampling.seed = 42;
        const auto one = engine.generate(request);
        request.id = 1000;
        QCOMPARE(engine.generate(request).ids, one.ids);
        QCOMPARE(one.end.statistics.seed, uint64_t(42));
    }

    void aQuestionIsAnsweredAndTheNextTurnReusesIt() {
        const std::string path = modelFolder() + "/" + kSmolLm2;
        if (!std::filesystem::exists(path)) QSKIP("the model is not in STEELYARD_MODEL_CACHE");
        LoadedEngine engine;
        QCOMPARE(engine.load(path, "cpu"), std::string());
        std::vector<ChatMessage> messages{{"user", "What is the capital of France?", ""}};
        auto request = engine.request(chatPrompt(messages));
        request.chat = 1;
        const auto one = engine.generate(request);
        QVERIFY2(one.text.find("Paris") != std::string::npos, one.text.c_str());
        QCOMPARE(one.end.reason, StopReason::EndToken);
        messages.push_back({"assistant", one.text, ""});
        messages.push_back({"user", "And of Italy?", ""});
        auto next = engine.request(chatPrompt(messages));
        next.chat = 1;
        const auto two = engine.generate(next);
        const auto& statistics = two.end.statistics;
        QVERIFY(statistics.reusedTokens >= one.end.statistics.promptTokens + one.end.statistics.generatedTokens - 2);
        QVERIFY(statistics.reusedTokens < statistics.promptTokens);
    }

    void aReplyThatWasCutOffGoesOnWhereItStopped() {
        const std::string path = modelFolder() + "/" + kSmolLm2;
        if (!std::filesystem::exists(path)) QSKIP("the model is not in STEELYARD_MODEL_CACHE");
        LoadedEngine engine;
        QCOMPARE(engine.load(path, "cpu"), std::string());
        std::vector<ChatMessage> messages{{"user", "Name three colours and say why you like them.", ""}};
        const auto whole = engine.generate(engine.request(chatPrompt(messages), 24));
        auto begin = engine.request(chatPrompt(messages), 11);
        begin.chat = 1;
        const auto one = engine.generate(begin);
        QCOMPARE(one.end.reason, StopReason::TokenLimit);
        messages.push_back({"assistant", one.text, ""});
        auto more = engine.request(chatPrompt(messages), 13);
        more.prompt.continuesReply = true;
        more.chat = 1;
        const auto two = engine.generate(more);
        QCOMPARE(one.text + two.text, whole.text);
        // Only the token that was sampled last had not been read.
        QCOMPARE(two.end.statistics.promptTokens, one.end.statistics.promptTokens + 11);
        QCOMPARE(two.end.statistics.reusedTokens, two.end.statistics.promptTokens - 1);

        more.id += 1; // what belongs to no chat has no cache: the text is read again, the reply is the same
        more.chat = 0;
        const auto again = engine.generate(more);
        QCOMPARE(one.text + again.text, whole.text);
        QCOMPARE(again.end.statistics.reusedTokens, 0u);
    }

    void stopStringsEndARealReply() {
        const std::string path = modelFolder() + "/" + kSmolLm2;
        if (!std::filesystem::exists(path)) QSKIP("the model is not in STEELYARD_MODEL_CACHE");
        LoadedEngine engine;
        QCOMPARE(engine.load(path, "cpu"), std::string());
        auto request = engine.request(chatPrompt({{"user", "What is the capital of France?", ""}}));
        request.stop = {"is Pa"};
        const auto answer = engine.generate(request);
        QCOMPARE(answer.end.reason, StopReason::StopString);
        QCOMPARE(answer.text, std::string("The capital of France "));
    }
};

QTEST_GUILESS_MAIN(TestEngine)
#include "test_engine.moc"
