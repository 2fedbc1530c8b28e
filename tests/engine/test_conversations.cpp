// Conversations that go on, branch, are edited and answered again, several chats in turn in a cache that is too small for all:
// every greedy answer with reuse is that of a fresh start.
#include "tests/engine/loaded_engine.h"

#include "engine/sampling/random.h"

#include <map>

using namespace steelyard;

namespace {

struct Chat {
    std::vector<int32_t> ids;
    std::vector<size_t> turns; // where each prompt ended
};

int32_t tokenOf(uint64_t dice, int32_t vocabulary) { return static_cast<int32_t>(mixedBits(dice) % static_cast<uint64_t>(vocabulary)); }

// Changes a chat as a person does: a new message, one more on an earlier answer, an edit, another answer, a branch, a new chat.
void change(std::map<uint64_t, Chat>& chats, Chat& chat, uint64_t dice, int32_t vocabulary) {
    const uint64_t kind = mixedBits(dice) % 8;
    if (kind == 0) chat = {};
    if (kind == 1) chat = chats[mixedBits(dice + 1) % 3 + 1]; // a branch of this or another chat
    if (kind == 2 && !chat.turns.empty()) {                   // the last answer once more
        chat.ids.resize(chat.turns.back());
        chat.turns.pop_back();
    } else if (kind == 3 && !chat.ids.empty()) { // an edit somewhere
        chat.ids.resize(mixedBits(dice + 2) % chat.ids.size());
        while (!chat.turns.empty() && chat.turns.back() > chat.ids.size()) chat.turns.pop_back();
    }
    const bool same = kind == 2 && !chat.ids.empty();
    const uint64_t added = same ? 0 : mixedBits(dice + 3) % 50 + 1;
    for (uint64_t i = 0; i < added; ++i) chat.ids.push_back(tokenOf(dice * 100 + i, vocabulary));
    if (chat.ids.size() > 220) {
        chat.ids.resize(40);
        chat.turns.clear();
    }
    chat.turns.push_back(chat.ids.size());
}

// How many turns to play: STEELYARD_CONVERSATION_TURNS, where that is set for a long run by hand.
int turnsOr(int usual) {
    bool isNumber = false;
    const int wanted = qEnvironmentVariableIntValue("STEELYARD_CONVERSATION_TURNS", &isNumber);
    return isNumber ? wanted : usual;
}

// Plays `turns` turns; empty, or what differs. `together` counts the tokens that were reused.
std::string play(LoadedEngine& engine, int turns, int32_t vocabulary, uint64_t* together) {
    std::map<uint64_t, Chat> chats;
    for (int turn = 1; turn <= turns; ++turn) {
        const uint64_t dice = mixedBits(static_cast<uint64_t>(turn)), number = dice % 3 + 1;
        Chat& chat = chats[number];
        change(chats, chat, dice, vocabulary);
        auto request = engine.request(idsPrompt(chat.ids), 6);
        request.chat = number;
        const auto answer = engine.generate(request), fresh = engine.generate(engine.request(idsPrompt(chat.ids), 6));
        if (answer.end.reason != StopReason::TokenLimit && answer.end.reason != StopReason::EndToken) return answer.end.sentence + " in turn " + std::to_string(turn);
        if (answer.ids != fresh.ids)
            return "turn " + std::to_string(turn) + " with " + std::to_string(answer.end.statistics.reusedTokens) + " of " + std::to_string(chat.ids.size()) +
                   " tokens reused answers differently";
        *together += answer.end.statistics.reusedTokens;
        chat.ids.insert(chat.ids.end(), answer.ids.begin(), answer.ids.end());
    }
    return {};
}

} // namespace

class TestConversations : public QObject {
    Q_OBJECT

private slots:
    void reuseGivesWhatAFreshStartGives_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("device");
        const char* models[] = {"llama-dense", "gemma3-dense", "deepseek2-heads", "qwen35-dense", "mamba2-dense", "deepseek4-tiny", "lfm2-dense"};
        const QString chosen = qEnvironmentVariable("STEELYARD_TEST_DEVICES");
        for (const char* device : {"cpu", "vulkan", "emulated"})
            for (const char* model : models)
                if (chosen.isEmpty() || chosen.contains(device)) QTest::addRow("%s on %s", model, device) << model << device;
    }

    void reuseGivesWhatAFreshStartGives() {
        QFETCH(QString, model);
        QFETCH(QString, device);
        if (deviceMissing(device.toStdString())) {
            if (qEnvironmentVariableIsSet("STEELYARD_REQUIRE_DEVICES")) QFAIL("the device is missing");
            QSKIP("the device is not there");
        }
        LoadedEngine engine;
        const std::string path = std::string(STEELYARD_TEST_DATA) + "/architectures/" + model.toStdString() + ".gguf";
        QCOMPARE(engine.load(path, device.toStdString(), TensorType::F16, 320), std::string());
        uint64_t reused = 0;
        const std::string problem = play(engine, turnsOr(device == "cpu" ? 40 : device == "vulkan" ? 12 : 4), 127, &reused);
        QVERIFY2(problem.empty(), problem.c_str());
        QVERIFY(reused > 0 || device != "cpu");
        for (uint64_t chat = 1; chat <= 3; ++chat) engine.engine.forgetChat(chat);
        QTRY_COMPARE(engine.engine.snapshot()->devices[0].use.kvUsedBytes, uint64_t(0));
    }

    void aRealModelToo() {
        const std::string path = modelFolder() + "/" + kSmolLm2;
        if (!std::filesystem::exists(path)) QSKIP("the model is not in STEELYARD_MODEL_CACHE");
        LoadedEngine engine;
        QCOMPARE(engine.load(path, "cpu", TensorType::F16, 400), std::string());
        uint64_t reused = 0;
        const std::string problem = play(engine, turnsOr(10), 40000, &reused);
        QVERIFY2(problem.empty(), problem.c_str());
        QVERIFY(reused > 0);
    }
};

QTEST_GUILESS_MAIN(TestConversations)
#include "test_conversations.moc"
