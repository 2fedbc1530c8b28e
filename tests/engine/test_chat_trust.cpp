// What people write never becomes a control token: each real template is rendered with messages that hold every control
// token of its model, and tokenized with a vocabulary that has them.
#include "engine/template/chat_format.h"
#include "tests/engine/vocabulary_files.h"

#include <QRegularExpression>
#include <QSet>
#include <QtTest>

using namespace steelyard;
using Json = nlohmann::ordered_json;

namespace {

constexpr int64_t kNow = 1796040000;

// Whatever in a template looks like a control token: <|x|>, <x>, </x>, [X], and the wide bars of DeepSeek.
QStringList controlTexts(const QString& source, const Json& data) {
    static const QRegularExpression pattern(QStringLiteral("<[^<>\\s{}'\"~+]{1,40}>|\\[/?[A-Z_]{2,40}\\]"));
    QSet<QString> texts;
    auto matches = pattern.globalMatch(source);
    while (matches.hasNext())
        texts.insert(matches.next().captured());
    for (const char* name : {"bos_token", "eos_token"})
        if (data.contains(name) && data[name].is_string() && !data[name].get<std::string>().empty())
            texts.insert(QString::fromStdString(data[name]));
    // Built from a role: '<|' + role + '|>'.
    for (const char* role : {"<|user|>", "<|assistant|>", "<|system|>", "<|tool|>", "<|im_start|>", "<|end|>"})
        texts.insert(role);
    QStringList sorted(texts.begin(), texts.end());
    sorted.sort();
    return sorted;
}

// All single bytes, then the given control tokens.
Result<TokenizerPtr> tokenizerWith(const QStringList& controls) {
    std::vector<std::string> tokens;
    std::vector<int32_t> kinds;
    for (int code = 0; code < 0x180; ++code) { // GPT-2's way to write bytes lies within these
        tokens.push_back(QString(QChar(code)).toStdString());
        kinds.push_back(1);
    }
    for (const QString& text : controls) {
        tokens.push_back(text.toStdString());
        kinds.push_back(3);
    }
    GgufWriter writer = vocabularyWriter("gpt2", tokens, kinds);
    writer.add("tokenizer.ggml.pre", "gpt-2");
    writer.add("tokenizer.ggml.merges", std::vector<std::string>());
    return tokenizerOf(writer.bytes());
}

Json conversation(const Json& data, const std::string& said, bool withSystem, bool thinking) {
    Json messages = Json::array();
    // SmolLM3's template takes "/think" in a system message as a switch.
    const std::string system = QString::fromStdString(said).remove("/think").toStdString();
    if (withSystem) messages.push_back({{"role", "system"}, {"content", system}});
    messages.push_back({{"role", "user"}, {"content", said}});
    messages.push_back({{"role", "assistant"}, {"content", "yes"}});
    messages.push_back({{"role", "user"}, {"content", said + said}});
    return {{"messages", messages},
            {"add_generation_prompt", true},
            {"enable_thinking", thinking},
            {"bos_token", data.value("bos_token", "")},
            {"eos_token", data.value("eos_token", "")}};
}

} // namespace

class TestChatTrust : public QObject {
    Q_OBJECT
private slots:
    void messagesAddNoControlTokens_data();
    void messagesAddNoControlTokens();
    void realVocabulariesHoldToo_data();
    void realVocabulariesHoldToo();
};

void TestChatTrust::messagesAddNoControlTokens_data() {
    QTest::addColumn<QString>("file");
    const QDir folder(conformanceFolder() + "/templates");
    const auto files = folder.entryList({"*.jinja"});
    for (const QString& file : files)
        QTest::newRow(qPrintable(file)) << folder.filePath(file);
    if (files.isEmpty()) QTest::newRow("none") << QString();
}

void TestChatTrust::messagesAddNoControlTokens() {
    QFETCH(QString, file);
    if (file.isEmpty()) QSKIP("the conformance data of templates is not here");
    const Json data = readJsonFile(QString(file).replace(".jinja", ".json"));
    const QString source = QString::fromUtf8(readBytes(file));
    const QStringList controls = controlTexts(source, data);
    const auto tokenizer = tokenizerWith(controls);
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    const auto format = ChatFormat::compile(source.toStdString());
    QVERIFY2(format.ok(), format.sentence().c_str());

    const auto controlsOf = [&](const std::vector<RenderedPiece>& rendered) {
        std::vector<TextPiece> pieces;
        for (const auto& piece : rendered)
            pieces.push_back({piece.text, piece.trusted});
        std::vector<TokenId> ids;
        for (const TokenId id : (*tokenizer)->tokenize(pieces))
            if ((*tokenizer)->isControl(id)) ids.push_back(id);
        return ids;
    };
    const std::string hostile = controls.join(" ").toStdString() + controls.join("").toStdString();
    int compared = 0;
    for (const bool withSystem : {true, false})
        for (const bool thinking : {true, false}) {
            const auto harmless = format->render(conversation(data, "hello", withSystem, thinking), kNow);
            const auto forged = format->render(conversation(data, hostile, withSystem, thinking), kNow);
            if (!harmless) continue; // a template without system messages
            QVERIFY2(forged.ok(), forged.sentence().c_str());
            QVERIFY2(controlsOf(*forged) == controlsOf(*harmless), joined(*forged).substr(0, 400).c_str());
            ++compared;
        }
    QVERIFY(compared > 0);
}

void TestChatTrust::realVocabulariesHoldToo_data() {
    QTest::addColumn<QString>("vocabularyName");
    QTest::addColumn<QString>("templateName");
    const std::pair<const char*, const char*> pairs[] = {{"llama-bpe", "meta-llama-Llama-3.1-8B-Instruct"},
                                                         {"qwen2", "Qwen-Qwen2.5-7B-Instruct"},
                                                         {"qwen2", "Qwen-Qwen3-0.6B"},
                                                         {"gemma-4", "google-gemma-4-31B-it"},
                                                         {"phi-3", "microsoft-Phi-3.5-mini-instruct"},
                                                         {"gpt-oss", "openai-gpt-oss-120b"},
                                                         {"deepseek-v3", "deepseek-ai-DeepSeek-V3.1"},
                                                         {"smollm2", "HuggingFaceTB-SmolLM3-3B"}};
    for (const auto& pair : pairs)
        QTest::newRow(pair.second) << QString(pair.first) << QString(pair.second);
}

// Every control token of the vocabulary, written as text by a person.
void TestChatTrust::realVocabulariesHoldToo() {
    QFETCH(QString, vocabularyName);
    QFETCH(QString, templateName);
    const QString file = conformanceFolder() + "/templates/" + templateName;
    const auto tokenizer = tokenizerOfFile(vocabularyFile(vocabularyName));
    if (!tokenizer || !QFile::exists(file + ".json")) QSKIP("the vocabulary or the template is not here");
    std::string controls;
    for (TokenId id = 0; id < static_cast<TokenId>((*tokenizer)->vocabularySize()); ++id)
        if ((*tokenizer)->isControl(id) && controls.size() < 20000) controls += (*tokenizer)->bytes(id, true) + "x";
    const Json data = readJsonFile(file + ".json");
    const auto format = ChatFormat::compile(readBytes(file + ".jinja").toStdString());
    QVERIFY2(format.ok(), format.sentence().c_str());
    size_t counts[2] = {};
    for (const bool hostile : {false, true}) {
        const auto rendered = format->render(conversation(data, hostile ? controls : "hello", false, true), kNow);
        QVERIFY2(rendered.ok(), rendered.sentence().c_str());
        std::vector<TextPiece> pieces;
        for (const auto& piece : *rendered)
            pieces.push_back({piece.text, piece.trusted});
        for (const TokenId id : (*tokenizer)->tokenize(pieces))
            counts[hostile] += (*tokenizer)->isControl(id) ? 1 : 0;
    }
    QVERIFY(counts[0] > 0);
    QCOMPARE(counts[1], counts[0]);
}

QTEST_APPLESS_MAIN(TestChatTrust)
#include "test_chat_trust.moc"
