// From a chat to ids and back again, on models made on the spot: the begin token once, what a template drops is read again,
// and numbers that overflow end one reply and no more.
#include "engine/format/gguf_file.h"
#include "tests/engine/loaded_engine.h"
#include "tests/engine/tiny_model.h"
#include "tests/engine/tiny_weights.h"

#include <QTemporaryDir>

#include <cmath>
#include <cstring>
#include <fstream>

using namespace steelyard;

namespace {

// Values of one row of the embeddings.
void putRow(std::string& bytes, uint32_t row, float value) {
    const auto file = GgufFile::parse({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, bytes.size());
    const GgufTensor* table = file ? file->findTensor("token_embd.weight") : nullptr;
    if (!table) qFatal("the test's own file is wrong");
    for (uint64_t i = 0; i < table->columns(); ++i)
        std::memcpy(bytes.data() + table->offset + (row * table->columns() + i) * sizeof(float), &value, sizeof value);
}

TinyModel withTemplate(const char* source) { return TinyModel().key("tokenizer.chat_template", source); }

} // namespace

class TestPrompts : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string put(const std::string& bytes) {
        const std::string path = m_folder.filePath("model.gguf").toStdString();
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return path;
    }
    uint32_t promptTokens(const TinyModel& model) {
        LoadedEngine engine;
        const std::string problem = engine.load(put(model.bytes()), "cpu");
        if (!problem.empty()) qFatal("%s", problem.c_str());
        return engine.generate(engine.request(chatPrompt({{"user", "abcd", ""}}), 1)).end.statistics.promptTokens;
    }

private slots:
    void T35_theBeginTokenStandsOnce() {
        const auto model = [](const char* source, bool adds) { return withTemplate(source).key("tokenizer.ggml.bos_token_id", uint32_t(5)).key("tokenizer.ggml.add_bos_token", adds); };
        const char* const kPrints = "{{ bos_token }}{{ messages[0].content }}";
        const char* const kLeavesOut = "{{ messages[0].content }}";
        QCOMPARE(promptTokens(model(kPrints, true)), 4u); // <e>, ab, c, d
        QCOMPARE(promptTokens(model(kPrints, false)), 4u);
        QCOMPARE(promptTokens(model(kLeavesOut, true)), 4u);
        QCOMPARE(promptTokens(model(kLeavesOut, false)), 3u);
        QCOMPARE(promptTokens(withTemplate(kPrints)), 3u); // a vocabulary without a begin token
    }

    void J26_aTemplateThatCannotBeReadIsToldAndNotReplaced() {
        LoadedEngine engine;
        QCOMPARE(engine.load(put(withTemplate("a\n{% if %}").bytes()), "cpu"), std::string());
        QVERIFY(!engine.facts.hasChatTemplate);
        QVERIFY2(engine.facts.templateProblem.find("Line 2") != std::string::npos, engine.facts.templateProblem.c_str());
        // The texts of the messages alone: no other template takes its place.
        QCOMPARE(engine.generate(engine.request(chatPrompt({{"user", "abcd", ""}}), 1)).end.statistics.promptTokens, 3u);
    }

    // The template drops what stands before the last c of earlier replies, as others drop thoughts.
    void J29_whatATemplateDropsIsReadAgainAsInAFreshChat() {
        const std::string path = put(withWeights(withTemplate(
            "{% for m in messages %}{{ m.content.split('c')[-1] if m.role == 'assistant' else m.content }}d{% endfor %}").key("llama.context_length", uint32_t(512))));
        LoadedEngine chat;
        QCOMPARE(chat.load(path, "cpu"), std::string());
        std::vector<ChatMessage> messages;
        for (const char* said : {"abca", "dda", "bac"}) {
            messages.push_back({"user", said, ""});
            auto request = chat.request(chatPrompt(messages), 12);
            request.chat = 7;
            const auto warm = chat.generate(request);
            LoadedEngine fresh;
            QCOMPARE(fresh.load(path, "cpu"), std::string());
            const auto cold = fresh.generate(fresh.request(chatPrompt(messages), 12));
            QCOMPARE(warm.ids, cold.ids);
            QCOMPARE(warm.end.statistics.promptTokens, cold.end.statistics.promptTokens);
            messages.push_back({"assistant", warm.text + "c" + warm.text.substr(0, 2), ""});
        }
    }

    void N08_numbersThatOverflowEndOneReplyOnly_data() {
        QTest::addColumn<QString>("device");
        for (const char* device : {"cpu", "vulkan", "emulated"}) QTest::newRow(device) << QString(device);
    }

    void N08_numbersThatOverflowEndOneReplyOnly() {
        QFETCH(QString, device);
        const QString chosen = qEnvironmentVariable("STEELYARD_TEST_DEVICES");
        if (!chosen.isEmpty() && !chosen.contains(device)) QSKIP("not asked for");
        if (deviceMissing(device.toStdString())) QSKIP("the device is not there");
        std::string bytes = withWeights(TinyModel());
        putRow(bytes, 7, std::nanf("")); // the token g
        const std::string path = put(bytes);
        LoadedEngine engine;
        QCOMPARE(engine.load(path, device.toStdString()), std::string());
        const std::vector<int32_t> good{0, 1, 2, 3, 4};
        const auto right = engine.generate(engine.request(idsPrompt(good), 6));
        QCOMPARE(right.end.reason, StopReason::TokenLimit);
        auto bad = engine.request(idsPrompt(std::vector<int32_t>(40, 7)), 6);
        bad.chat = 3;
        const auto failed = engine.generate(bad);
        QCOMPARE(failed.end.reason, StopReason::Failed);
        QVERIFY2(failed.end.sentence.find("not finite") != std::string::npos, failed.end.sentence.c_str());
        // The same chat, whose cache is gone, and the same blocks of memory.
        auto next = engine.request(idsPrompt(good), 6);
        next.chat = 3;
        const auto again = engine.generate(next);
        QCOMPARE(again.end.reason, StopReason::TokenLimit);
        QCOMPARE(again.end.statistics.reusedTokens, 0u);
        QCOMPARE(again.ids, right.ids);
    }
};

QTEST_GUILESS_MAIN(TestPrompts)
#include "test_prompts.moc"
