// The command-line client as a script sees it: exit status, one JSON object on stdout, sentences on stderr.
#include "tests/engine/cli_run.h"
#include "tests/engine/conformance_files.h"
#include "tests/engine/tiny_model.h"

#include <QtTest>

#include <cmath>
#include <cstring>

using namespace steelyard;

namespace {

const QString kTinyModel = QStringLiteral(STEELYARD_TEST_DATA) + "/architectures/llama-dense.gguf";

} // namespace

class TestCli : public CliTest {
    Q_OBJECT
private slots:
    void wrongUsage_data();
    void wrongUsage();
    void helpAndVersion();
    void failuresAreSentences();
    void devices();
    void inspectOfTheTinyModel();
    void inspectOfASplitModel();
    void logitsOfTheTinyModel();
    void generateFromIds();
    void generateInAFullContext_data();
    void generateInAFullContext();
    void aFileKeepsTheChat();
    void anotherDeviceReadsThePrompt();
    void benchHasRoomForAllSequences();
    void memoryOfTheTinyModel();
    void renderOfTemplates();
    void renderWithTools();
    void contentInParts();
    void dequantize();
    void quantizeOfTheTinyModel();
    void perplexityOfTheTinyModel();
    void importanceOfAModelGoesIntoQuantize();
    void sample();
    void tokenizeAndBack();
    void chatAnswersOnce();
};

void TestCli::wrongUsage_data() {
    QTest::addColumn<QStringList>("arguments");
    const auto row = [](const char* name, const QStringList& arguments) { QTest::newRow(name) << arguments; };
    row("nothing", {});
    row("unknown command", {"fly"});
    row("unknown option", {"devices", "--fast"});
    row("missing argument", {"inspect"});
    row("no text", {"tokenize", kTinyModel});
    row("two texts", {"tokenize", kTinyModel, "--text-file", "a", "--texts", "b"});
    row("no prompt", {"generate", kTinyModel});
    row("ids", {"detokenize", kTinyModel, "--ids", "1,x"});
    row("device", {"logits", kTinyModel, "--ids", "1", "--out", "x", "--device", "abacus"});
    row("cache type", {"generate", kTinyModel, "--ids", "1", "--kv-type", "q3_k"});
    row("type", {"dequantize", "q99", "--in", "a", "--out", "b"});
    row("time", {"render", "a", "--messages", "b", "--now", "noon"});
    row("range", {"generate", kTinyModel, "--ids", "1", "--temperature", "-1"});
    row("bias", {"generate", kTinyModel, "--ids", "1", "--logit-bias", "x=1"});
    row("overflow", {"generate", kTinyModel, "--ids", "1", "--overflow", "forget"});
    row("no text to weigh by", {"importance", kTinyModel, "out.gguf"});
    row("no text to predict", {"perplexity", kTinyModel});
    row("nothing to compare with", {"compare", kTinyModel});
    row("too many columns", {"compare", kTinyModel, kTinyModel, kTinyModel, "--text", "a", "--kv-type", "f16", "q8_0"});
    row("kind of report", {"compare", kTinyModel, "--text", "a", "--report", "report.doc"});
    row("way to guess", {"compare", kTinyModel, "--text", "a", "--guess", "dice"});
    row("kind of file", {"quantize", kTinyModel, "out.gguf", "q9_k"});
    row("not there yet", {"serve", kTinyModel});
}

void TestCli::wrongUsage() {
    QFETCH(QStringList, arguments);
    const Outcome outcome = run(arguments);
    QCOMPARE(outcome.status, 2);
    QVERIFY(outcome.output.isEmpty());
    QVERIFY2(outcome.messages.size() > 10 && outcome.messages.trimmed().count('\n') <= 1, outcome.messages.constData());
}

void TestCli::helpAndVersion() {
    const Outcome help = run({"--help"});
    QCOMPARE(help.status, 0);
    for (const char* command :
         {"devices", "inspect", "tokenize", "detokenize", "render", "logits", "generate", "bench", "memory", "chat", "quantize", "importance", "perplexity", "compare"})
        QVERIFY2(help.output.contains(command), command);
    QCOMPARE(run({"--version"}).status, 0);
    QCOMPARE(run({"chat", "--help"}).status, 0);
}

void TestCli::failuresAreSentences() {
    const QString page = file("page.gguf", "<!DOCTYPE html><html></html>");
    for (const QStringList& arguments :
         {QStringList{"inspect", page}, QStringList{"inspect", "absent.gguf"},
          QStringList{"tokenize", page, "--text-file", "-"}, QStringList{"generate", page, "--ids", "1"},
          QStringList{"memory", page}, QStringList{"render", "absent.jinja", "--messages", "-"}}) {
        const Outcome outcome = run(QStringList(arguments) << "--json");
        QVERIFY2(outcome.status == 1, qPrintable(arguments.join(' ')));
        QVERIFY2(isPureJson(outcome.output) && outcome.json().contains("error"), outcome.output.constData());
        QVERIFY(outcome.messages.trimmed().endsWith('.'));
    }
}

void TestCli::benchHasRoomForAllSequences() {
    const Outcome outcome = run({"bench", kTinyModel, "--device", "cpu", "--parallel", "4", "-p", "4", "-n", "6", "-r", "2", "--json"});
    QVERIFY2(outcome.status == 0, outcome.output.constData());
    QCOMPARE(outcome.json()["decode_tokens_per_second"].size(), size_t(2));
    for (const char* share : {"bandwidth_share", "arithmetic_share"}) QVERIFY2(outcome.json()[share].get<double>() > 0, share);
}

void TestCli::devices() {
    const Outcome outcome = run({"devices", "--json"});
    QCOMPARE(outcome.status, 0);
    QVERIFY(isPureJson(outcome.output));
    bool processor = false;
    const Json json = outcome.json();
    for (const auto& device : json["devices"]) {
        for (const char* field : {"id", "name", "kind", "memory_bytes", "free_bytes", "usable", "reason"})
            QVERIFY2(device.contains(field), field);
        processor = processor || (device["id"] == "cpu" && device["usable"] == true);
    }
    QVERIFY(processor);
}

void TestCli::inspectOfTheTinyModel() {
    const Outcome outcome = run({"inspect", kTinyModel, "--json"});
    QCOMPARE(outcome.status, 0);
    QVERIFY(isPureJson(outcome.output));
    const Json json = outcome.json();
    for (const char* field : {"architecture", "parameters", "file_bytes", "bits_per_weight", "quantization",
                              "context_length", "vocabulary", "tensors", "metadata"})
        QVERIFY2(json.contains(field), field);
    QCOMPARE(json["architecture"].get<std::string>(), std::string("llama"));
    QCOMPARE(json["vocabulary"].get<int>(), 128);
    for (const char* field : {"name", "type", "shape", "bytes"})
        QVERIFY2(json["tensors"][0].contains(field), field);
}

void TestCli::inspectOfASplitModel() {
    std::vector<QString> paths;
    for (uint32_t part = 0; part < 2; ++part) {
        GgufWriter writer;
        writer.add("general.architecture", "llama");
        writer.add("split.no", part);
        writer.add("split.count", uint32_t(2));
        QVERIFY(writer.addTensor("tensor" + std::to_string(part), TensorType::F32, {8}, std::vector<uint8_t>(32)));
        paths.push_back(file(QString("split-%1-of-00002.gguf").arg(part + 1, 5, 10, QChar('0')), QByteArray::fromStdString(writer.bytes())));
    }
    for (const QString& opened : paths) {
        const Json json = run({"inspect", opened, "--json"}).json();
        QCOMPARE(json["tensors"].size(), size_t(2));
        QCOMPARE(json["parts"].size(), size_t(2));
        QCOMPARE(QString::fromStdString(json["parts"][0]), paths[0]);
        QVERIFY(run({"inspect", opened}).output.contains("open " + paths[0].toUtf8()));
    }
    QCOMPARE(run({"inspect", kTinyModel, "--json"}).json()["parts"].size(), size_t(1));
}

void TestCli::quantizeOfTheTinyModel() {
    const QString place = m_folder.filePath("tiny-q8.gguf");
    const Outcome outcome = run({"quantize", kTinyModel, place, "q8_0", "--json"});
    QCOMPARE(outcome.status, 0);
    QVERIFY(isPureJson(outcome.output));
    QVERIFY(outcome.messages.isEmpty());
    const Json json = outcome.json();
    QCOMPARE(json["input_bytes"].get<qint64>(), QFile(kTinyModel).size());
    QCOMPARE(json["output_bytes"].get<qint64>(), QFile(place).size());
    QVERIFY(json["bits_per_weight"] > 8.0 && json["tensors_by_type"]["Q8_0"] > 0);
    QCOMPARE(run({"inspect", place, "--json"}).json()["quantization"].get<std::string>(), std::string("Q8_0"));
    QVERIFY(run({"quantize", place, m_folder.filePath("tiny-f32.gguf"), "F32"}).messages.contains("already quantized"));
    const Outcome refused = run({"quantize", place, place, "F16", "--json"});
    QCOMPARE(refused.status, 1);
    QVERIFY(refused.json()["error"].get<std::string>().find("another name") != std::string::npos);
}

void TestCli::perplexityOfTheTinyModel() {
    // A model with a vocabulary, whose weights are all nothing: every token is equally probable.
    const QString model = file("letters.gguf", QByteArray::fromStdString(TinyModel().bytes()));
    const QString text = file("letters.txt", QByteArray("abcd").repeated(20) + "\n");
    const Outcome outcome = run({"perplexity", model, "--file", text, "--context", "16", "--reference", model, "--device", "cpu", "--json"});
    QVERIFY2(outcome.status == 0, outcome.messages.constData());
    QVERIFY(isPureJson(outcome.output));
    const Json json = outcome.json();
    QVERIFY(std::abs(json["perplexity"].get<double>() - 8) < 1e-3);
    QCOMPARE(json["tokens"].get<int>(), 3 * 7); // 60 tokens
    QCOMPARE(json["mean_kl"].get<double>(), 0.0);
    QCOMPARE(json["kl_p99"].get<double>(), 0.0);
    QCOMPARE(json["same_top"].get<double>(), 1.0);
    const Outcome alone = run({"perplexity", model, "--file", "-", "--context", "16", "--device", "cpu", "--json"}, QByteArray("abcd").repeated(20));
    QVERIFY(!alone.json().contains("mean_kl") && alone.json()["tokens"] == 21);
    QCOMPARE(run({"perplexity", model, "--file", text, "--device", "cpu", "--json"}).status, 1); // shorter than two windows of 512
}

void TestCli::importanceOfAModelGoesIntoQuantize() {
    const auto tiny = TinyModel().filled("token_embd.weight", {32, 8}, 0.5f).filled("blk.0.attn_norm.weight", {32}, 1.0f).bytes();
    const QString model = file("weighed.gguf", QByteArray::fromStdString(tiny)), text = file("weighed.txt", QByteArray("abcd").repeated(20) + "\n");
    const QString made = m_folder.filePath("importance.gguf");
    const Outcome outcome = run({"importance", model, made, "--file", text, "--context", "16", "--json"});
    QVERIFY2(outcome.status == 0, outcome.messages.constData());
    QVERIFY(isPureJson(outcome.output));
    QVERIFY(outcome.json()["tensors"] == 14 && outcome.json()["tokens"] == 48);
    const Outcome quantized = run({"quantize", model, m_folder.filePath("weighed-q4.gguf"), "IQ4_NL", "--importance", made});
    QVERIFY2(quantized.status == 0, quantized.messages.constData());
    QCOMPARE(run({"quantize", model, m_folder.filePath("other.gguf"), "IQ4_NL", "--importance", text}).status, 1);
}

void TestCli::logitsOfTheTinyModel() {
    const QString out = m_folder.filePath("logits.f32");
    const Outcome outcome =
        run({"logits", kTinyModel, "--ids", "1,2,3,4", "--from", "1", "--out", out, "--device", "cpu", "--json"});
    QVERIFY2(outcome.status == 0, outcome.messages.constData());
    QCOMPARE(outcome.json()["rows"].get<int>(), 3);
    QCOMPARE(outcome.json()["columns"].get<int>(), 128);
    QCOMPARE(QFileInfo(out).size(), qint64(3 * 128 * 4));
}

void TestCli::aFileKeepsTheChat() {
    const QTemporaryDir folder;
    QStringList ids;
    for (int i = 0; i < 100; ++i) ids << QString::number(i % 90);
    const QStringList call{"generate", kTinyModel, "--ids", ids.join(','), "--max-tokens", "4", "--temperature", "0", "--device", "cpu",
                           "--json", "--resume", folder.filePath("chat.kept")};
    const auto first = run(call), second = run(call);
    QCOMPARE(first.status, 0);
    QCOMPARE(second.status, 0);
    QCOMPARE(first.json()["reused_tokens"].get<int>(), 0);
    QCOMPARE(second.json()["reused_tokens"].get<int>(), 99);
    QCOMPARE(second.json()["reused_from_disk"].get<int>(), 99);
    QCOMPARE(second.json()["ids"], first.json()["ids"]);
    QFile file(folder.filePath("chat.kept"));
    QVERIFY(file.open(QIODevice::ReadWrite));
    file.seek(5000);
    file.putChar(file.peek(1).at(0) ^ 1);
    file.close();
    const auto damaged = run(call); // said, and read anew
    QCOMPARE(damaged.status, 0);
    QCOMPARE(damaged.json()["reused_tokens"].get<int>(), 0);
    QVERIFY(!damaged.messages.isEmpty());
    QCOMPARE(run(call).json()["reused_tokens"].get<int>(), 99); // it was written again
}

void TestCli::anotherDeviceReadsThePrompt() {
    QStringList ids;
    for (int i = 0; i < 50; ++i) ids << QString::number(i % 90);
    const auto outcome = run({"generate", kTinyModel, "--ids", ids.join(','), "--max-tokens", "2", "--temperature", "0", "--json",
                              "--prefill-device", "emulated", "--decode-device", "cpu"});
    QCOMPARE(outcome.status, 0);
    QCOMPARE(outcome.json()["device"].get<std::string>(), std::string("cpu"));
    QCOMPARE(outcome.json()["prefill_device"].get<std::string>(), std::string("emulated"));
    QCOMPARE(outcome.json()["transfer"]["tokens"].get<int>(), 49);
    QVERIFY(outcome.json()["transfer"]["bytes"].get<int>() > 0);
}

void TestCli::generateFromIds() {
    const Outcome outcome = run({"generate", kTinyModel, "--ids", "1,2,3", "--max-tokens", "4", "--temperature", "0",
                                 "--device", "cpu", "--json"});
    QVERIFY2(outcome.status == 0, outcome.messages.constData());
    QVERIFY(isPureJson(outcome.output));
    const Json json = outcome.json();
    for (const char* field : {"text", "ids", "stop_reason", "prompt_tokens", "reused_tokens", "ttft_ms", "itl_ms",
                              "prefill_tokens_per_second", "decode_tokens_per_second", "memory"})
        QVERIFY2(json.contains(field), field);
    for (const char* field :
         {"weights_bytes", "kv_used_bytes", "kv_cached_bytes", "kv_reserved_bytes", "compute_bytes"})
        QVERIFY2(json["memory"].contains(field), field);
    QCOMPARE(json["prompt_tokens"].get<int>(), 3);
}

// A reply that outgrows its context of 128 tokens ends as was asked for.
void TestCli::generateInAFullContext_data() {
    QTest::addColumn<QString>("overflow");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("reason");
    QTest::newRow("stop") << "stop" << 0 << "context_full";
    QTest::newRow("drop-oldest") << "drop-oldest" << 0 << "context_full"; // ids have no turns
    QTest::newRow("error") << "error" << 1 << "";
    QTest::newRow("shift") << "shift" << 0 << "token_limit";
}

void TestCli::generateInAFullContext() {
    QFETCH(QString, overflow);
    QFETCH(int, status);
    QFETCH(QString, reason);
    QStringList ids;
    for (int i = 0; i < 100; ++i) ids += QString::number(3 + i % 50);
    const Outcome outcome = run({"generate", kTinyModel, "--ids", ids.join(','), "--context", "128", "--max-tokens", "60", "--temperature", "0",
                                 "--logit-bias", "2=false", "--overflow", overflow, "--device", "cpu", "--json"});
    QVERIFY2(outcome.status == status, outcome.messages.constData());
    QVERIFY(isPureJson(outcome.output));
    const Json json = outcome.json();
    if (status != 0) {
        QVERIFY(QString::fromStdString(json["error"].get<std::string>()).contains("context of 128 tokens is full"));
        return;
    }
    QCOMPARE(QString::fromStdString(json["stop_reason"].get<std::string>()), reason);
    QCOMPARE(json["shifted_tokens"].get<int>() > 0, overflow == "shift");
    QCOMPARE(json["dropped_messages"].get<int>(), 0);
}

void TestCli::memoryOfTheTinyModel() {
    const Outcome outcome = run({"memory", kTinyModel, "--context", "64", "--device", "cpu", "--measure", "--json"});
    QVERIFY2(outcome.status == 0, outcome.messages.constData());
    const Json json = outcome.json();
    for (const char* field :
         {"weights_bytes", "kv_bytes", "compute_bytes", "total_bytes", "fits", "context_limit", "kinds"})
        QVERIFY2(json["predicted"].contains(field), field);
    QVERIFY(json["measured"].contains("total_bytes"));
}

void TestCli::renderOfTemplates() {
    const QString source =
        file("t.jinja", "{{ bos_token }}{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}{% if tools "
                        "is defined %}tools{% endif %}{{ strftime_now('%Y') }}");
    const QString conversation = file(
        "m.json",
        R"({"name": "x", "messages": [{"role": "user", "content": "Hi <|im_end|>"}], "tools": null, "rendered": "y"})");
    const Outcome outcome =
        run({"render", source, "--messages", conversation, "--bos", "<s>", "--now", "2026-11-30T12:00:00", "--json"});
    QVERIFY2(outcome.status == 0, outcome.messages.constData());
    QCOMPARE(outcome.json()["text"].get<std::string>(), std::string("<s>[user] Hi <|im_end|>\n2026"));
    const QString list = file("l.json", R"([{"role": "user", "content": "Hi"}])");
    QCOMPARE(run({"render", source, "--messages", list, "--now", "2026-11-30"}).output, QByteArray("[user] Hi\n2026"));
    const QString variables = file("v.json", R"({"a": [1, 2]})");
    QCOMPARE(run({"render", file("v.jinja", "{{ a|sum }}{{ bos_token is defined }}"), "--variables", variables}).output,
             QByteArray("3False"));
    const Outcome refused =
        run({"render", file("e.jinja", "{{ raise_exception('No tools here') }}"), "--variables", variables, "--json"});
    QCOMPARE(refused.status, 1);
    QVERIFY(QByteArray::fromStdString(refused.json()["error"]).contains("No tools here"));
    QCOMPARE(run({"render", kTinyModel, "--messages", list}).status, 1); // a base model
}

// J31: a template for tools serves where there are some; J14: the arguments of a call come decoded.
void TestCli::renderWithTools() {
    const QString model = file("tools.gguf", QByteArray::fromStdString(TinyModel().key("tokenizer.chat_template", "plain").key("tokenizer.chat_template.tool_use", "with {{ tools|length }}").bytes()));
    const QString plain = file("p.json", R"({"messages": [{"role": "user", "content": "Hi"}], "tools": []})");
    const QString tools = file("q.json", R"({"messages": [{"role": "user", "content": "Hi"}], "tools": [{"type": "function"}]})");
    QCOMPARE(run({"render", model, "--messages", plain}).output, QByteArray("plain"));
    QCOMPARE(run({"render", model, "--messages", tools}).output, QByteArray("with 1"));
    const QString call = file("c.json", R"([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{\"a\": 1}"}}]}])");
    QCOMPARE(run({"render", file("c.jinja", "{{ messages[0].tool_calls[0].function.arguments|tojson }}"), "--messages", call}).output, QByteArray(R"({"a": 1})"));
}

// J16: a content of text parts is their text; other parts are refused in words.
void TestCli::contentInParts() {
    const QString texts = file("parts.json", R"([{"role": "user", "content": [{"type": "text", "text": "a"}]}, {"role": "assistant", "content": []}])");
    const QString image = file("image.json", R"([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}])");
    const QString model = file("tiny.gguf", QByteArray::fromStdString(TinyModel().bytes()));
    const Outcome answered = run({"generate", model, "--messages", texts, "--max-tokens", "1", "--device", "cpu", "--json"});
    QVERIFY2(answered.status == 0, answered.messages.constData());
    const Outcome refused = run({"generate", model, "--messages", image, "--device", "cpu"});
    QCOMPARE(refused.status, 1);
    QVERIFY2(refused.messages.contains("only texts"), refused.messages.constData());
}

void TestCli::dequantize() {
    const QString folder = QStringLiteral(STEELYARD_TEST_DATA) + "/quantization/";
    for (const char* type : {"q8_0", "q4_1", "q4_K", "f16"}) {
        const QString out = m_folder.filePath("values.f32");
        const Outcome outcome =
            run({"dequantize", type, "--in", folder + type + ".bin", "--out", out, "--device", "cpu", "--json"});
        QVERIFY2(outcome.status == 0, outcome.messages.constData());
        QCOMPARE(outcome.json()["values"].get<int>(), 1024);
        const QByteArray got = readBytes(out), expected = readBytes(folder + type + ".f32");
        QCOMPARE(got.size(), expected.size());
        for (qsizetype i = 0; i < got.size(); i += 4) {
            float a = 0, b = 0;
            std::memcpy(&a, got.constData() + i, 4);
            std::memcpy(&b, expected.constData() + i, 4);
            QVERIFY2(std::fabs(a - b) <= 1e-6f * std::fabs(b) + 1e-12f, type);
        }
    }
}

void TestCli::sample() {
    const QString given =
        file("case.json",
             R"({"logits": [1.0, 3.0, 2.0, 0.0], "chain": [["top_k", 2], ["temperature", 1.0]], "history": []})");
    const Outcome outcome = run({"sample", "--case", given, "--json"});
    QVERIFY2(outcome.status == 0, outcome.messages.constData());
    const Json candidates = outcome.json()["candidates"];
    QCOMPARE(candidates.size(), size_t(2));
    QCOMPARE(candidates[0]["id"].get<int>(), 1);
    QVERIFY(std::fabs(candidates[0]["p"].get<double>() - 0.731058) < 1e-4);
}

void TestCli::tokenizeAndBack() {
    for (const char* name : {"smollm2", "gemma-3"}) {
        const QString model =
            cachedModel(qstrcmp(name, "smollm2") == 0 ? "SmolLM2-135M-Instruct.Q4_1.gguf" : "gemma-3-270m-Q4_K_M.gguf");
        if (!QFile::exists(model)) QSKIP("the model files are not in the model cache");
        const QString cases = conformanceFolder() + "/tokenizers/" + name + ".json";
        if (!QFile::exists(cases)) QSKIP("the conformance data of vocabularies is not here");
        const Json data = readJsonFile(cases);
        Json texts = Json::array(), ids = Json::array();
        for (const auto& entry : data["cases"]) {
            texts.push_back(entry["text"]);
            ids.push_back(entry["ids"]);
        }
        const QString path = file("texts.json", QByteArray::fromStdString(texts.dump()));
        const Outcome outcome = run({"tokenize", model, "--texts", path, "--special", "--json"});
        QVERIFY2(outcome.status == 0, outcome.messages.constData());
        QVERIFY(outcome.json()["ids"] == ids);
        const Outcome one = run({"tokenize", model, "--text-file", "-"}, "Hello world");
        const Outcome back = run({"detokenize", model, "--ids", QString(one.output).trimmed(), "--json"});
        QCOMPARE(back.json()["text"].get<std::string>(), std::string("Hello world"));
    }
}

void TestCli::chatAnswersOnce() {
    const QString model = cachedModel("SmolLM2-135M-Instruct.Q4_1.gguf");
    if (!QFile::exists(model)) QSKIP("the model files are not in the model cache");
    const Outcome outcome = run({"chat", model, "--device", "cpu", "--temperature", "0", "--max-tokens", "12"},
                                "What is the capital of France?\n");
    QVERIFY2(outcome.status == 0, outcome.messages.constData());
    QVERIFY2(outcome.output.contains("Paris"), outcome.output.constData());
    QCOMPARE(run({"chat", model, "--device", "cpu"}, "\n").status, 1);
}

QTEST_APPLESS_MAIN(TestCli)
#include "test_cli.moc"
