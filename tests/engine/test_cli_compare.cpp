// `compare` as a script sees it: columns, reports, and sentences where something is wrong.
#include "tests/engine/cli_run.h"
#include "tests/engine/tiny_model.h"

#include <QtTest>

#include <cmath>

using namespace steelyard;

class TestCliCompare : public CliTest {
    Q_OBJECT

private slots:
    void compareOfTheTinyModel();
    void compareOfCacheTypesAndGuesses();
    void compareWithBadInput();
    void compareOfARealModel();
};

void TestCliCompare::compareOfTheTinyModel() {
    const QString model = file("compared.gguf", QByteArray::fromStdString(TinyModel().bytes()));
    const QString coarse = m_folder.filePath("compared-q8.gguf"), text = file("compared.txt", QByteArray("abcd").repeated(20)), prompt = file("short.txt", "abcd");
    QCOMPARE(run({"quantize", model, coarse, "q8_0"}).status, 0);
    for (const QString ending : {".md", ".csv", ".json"}) {
        const QString report = m_folder.filePath("report" + ending);
        const Outcome outcome = run({"compare", model, coarse, "--text", text, "--context", "16", "--prompt-file", prompt, "--max-tokens", "3", "--device", "cpu", "--report", report, "--json"});
        QVERIFY2(outcome.status == 0, outcome.messages.constData());
        QVERIFY(isPureJson(outcome.output));
        const Json json = outcome.json();
        QCOMPARE(json["columns"].size(), size_t(2));
        QCOMPARE(json["columns"][1]["name"].get<std::string>(), std::string("Q8_0"));
        QVERIFY(json["columns"][0]["quality"]["is_reference"].get<bool>());
        QVERIFY(std::abs(json["columns"][1]["quality"]["perplexity"].get<double>() - 8) < 1e-3);
        QVERIFY(json["columns"][1]["speed"]["decode_tokens_per_second"].get<double>() > 0);
        QVERIFY(json["columns"][1]["answer"].contains("text"));
        QVERIFY(json["report"]["verdict"].size() > 0);
        QVERIFY(QFileInfo(report).size() > 100);
    }
    // For people: the same as Markdown. Without a prompt the speed is measured by itself.
    const Outcome people = run({"compare", model, coarse, "--text", text, "--context", "16", "--device", "cpu"});
    QVERIFY2(people.status == 0 && people.output.contains("| Mean KL, nats | reference |"), people.output.constData());
    QVERIFY(people.output.contains("Decode, tokens/s"));
}

void TestCliCompare::compareOfCacheTypesAndGuesses() {
    const QString model = file("columns.gguf", QByteArray::fromStdString(TinyModel().bytes())), prompt = file("prompt.txt", "abcdabcd");
    const QString kept = m_folder.filePath("kept"), text = file("columns.txt", QByteArray("abcd").repeated(20));
    const QStringList arguments = {"compare", model, "--kv-type", "f16", "q8_0", "--guess", "off", "lookup", "--prompt-file", prompt, "--text", text, "--context", "24",
                                   "--max-tokens", "4", "--device", "cpu", "--keep", kept, "--json"};
    for (int i = 0; i < 2; ++i) { // the second time from what was kept
        const Json json = run(arguments).json();
        QCOMPARE(json["columns"].size(), size_t(4));
        QCOMPARE(json["columns"][3]["name"].get<std::string>(), std::string("KV q8_0, guesses: lookup, at most 8"));
        QVERIFY(json["columns"][3]["differs"].size() == 2 && json["columns"][3].contains("quality"));
    }
    QVERIFY(QDir(kept).entryList(QDir::Files).size() >= 2);
    const Json filled = run({"compare", model, "--fill", "0", "20", "--prompt-file", prompt, "--max-tokens", "2", "--device", "cpu", "--json"}).json();
    QVERIFY(filled["columns"][1]["answer"]["prompt_tokens"].get<int>() > filled["columns"][0]["answer"]["prompt_tokens"].get<int>());
}

void TestCliCompare::compareWithBadInput() {
    const QString model = file("bad.gguf", QByteArray::fromStdString(TinyModel().bytes())), text = file("one.txt", "a");
    const QString report = m_folder.filePath("never.md");
    for (const QStringList& arguments : {QStringList{model, "--text", text, "--device", "cpu"}, QStringList{"absent.gguf", "--text", text},
                                         QStringList{model, "--text", "absent.txt", "--device", "cpu"}, QStringList{model, "--prompt-file", "absent.txt", "--device", "cpu"}}) {
        const Outcome outcome = run(QStringList{"compare"} + arguments + QStringList{"--report", report, "--json"});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(isPureJson(outcome.output) && outcome.json().contains("error"), outcome.output.constData());
        QVERIFY(outcome.messages.trimmed().endsWith('.'));
    }
    QVERIFY(!QFileInfo::exists(report));
    // A column that fails leaves the other.
    const Outcome outcome = run({"compare", model, "absent.gguf", "--prompt-file", file("ab.txt", "ab"), "--max-tokens", "2", "--device", "cpu", "--json"});
    QCOMPARE(outcome.status, 0);
    QVERIFY(!outcome.json()["columns"][1]["problem"].get<std::string>().empty() && outcome.json()["columns"][0].contains("answer"));
}

void TestCliCompare::compareOfARealModel() {
    const QString model = qEnvironmentVariable("STEELYARD_MODEL_CACHE") + "/SmolLM2-135M-Instruct.Q4_1.gguf";
    if (!QFileInfo::exists(model)) QSKIP("the model cache has no SmolLM2");
    QFile whole(QStringLiteral(STEELYARD_TEST_DATA) + "/models/text.txt");
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QString text = file("real.txt", whole.read(2400)), chat = file("real.json", R"([{"role":"user","content":"What is the capital of France?"}])");
    const Outcome outcome = run({"compare", model, "--kv-type", "f16", "q4_0", "--text", text, "--context", "128", "--messages", chat, "--max-tokens", "12", "--device", "cpu", "--json"});
    QVERIFY2(outcome.status == 0, outcome.messages.constData());
    const Json json = outcome.json();
    QVERIFY(json["columns"][0]["answer"]["text"].get<std::string>().find("Paris") != std::string::npos);
    const double kl = json["columns"][1]["quality"]["mean_kl"].get<double>();
    QVERIFY2(kl > 0.001 && kl < 1, qPrintable(QString::number(kl)));
    QVERIFY(json["report"]["text"]["kept_mass"].get<double>() > 0.98);
}

QTEST_GUILESS_MAIN(TestCliCompare)
#include "test_cli_compare.moc"
