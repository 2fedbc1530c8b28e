// Prompts that one device reads and another one answers: the same text as on one device alone, and the transfer in the figures.
#include "tests/engine/loaded_engine.h"

#include "engine/sampling/random.h"

using namespace steelyard;

namespace {

std::vector<int32_t> randomIds(uint64_t seed, uint32_t count, int32_t vocabulary = 127) {
    std::vector<int32_t> ids;
    for (uint32_t i = 0; i < count; ++i) ids.push_back(static_cast<int32_t>(mixedBits(seed * 1000 + i) % static_cast<uint64_t>(vocabulary)));
    return ids;
}

std::string loadPair(LoadedEngine& engine, const std::string& path, const QString& pair, uint32_t context) {
    LoadRequest request;
    request.path = path;
    request.contextLength = context;
    request.prefillDevice = pair.section("->", 0, 0).toStdString();
    request.device = pair.section("->", 1, 1).toStdString();
    return engine.load(request);
}

// How many tokens two greedy answers share before the first difference that the gap between the best two tokens explains.
std::string difference(LoadedEngine& judge, const std::vector<int32_t>& prompt, const std::vector<int32_t>& one, const std::vector<int32_t>& other) {
    size_t common = 0;
    while (common < one.size() && common < other.size() && one[common] == other[common]) ++common;
    if (common == one.size() && common == other.size()) return {};
    if (common == one.size() || common == other.size()) return "one answer ends earlier";
    auto ids = prompt;
    ids.insert(ids.end(), one.begin(), one.begin() + static_cast<std::ptrdiff_t>(common));
    const auto logits = judge.score(ids, static_cast<uint32_t>(ids.size()) - 1);
    if (!logits) return logits.sentence();
    const float gap = (*logits)[static_cast<size_t>(one[common])] - (*logits)[static_cast<size_t>(other[common])];
    return gap < 0.05f && gap > -0.05f ? std::string() : "token " + std::to_string(common) + " differs with a gap of " + std::to_string(gap);
}

bool skipped(const QString& pair) {
    for (const QString& device : pair.split("->"))
        if (deviceMissing(device.toStdString())) return !qEnvironmentVariableIsSet("STEELYARD_REQUIRE_DEVICES");
    return false;
}

} // namespace

class TestHandover : public QObject {
    Q_OBJECT

private slots:
    void theTextIsThatOfOneDevice_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("pair");
        for (const QString pair : {"cpu->vulkan", "vulkan->cpu", "emulated->cpu", "cpu->emulated"})
            for (const QString model : {"llama-dense", "gemma3-dense", "deepseek2-heads", "qwen35-dense"})
                QTest::newRow(qPrintable(model + ' ' + pair)) << model << pair;
    }

    void theTextIsThatOfOneDevice() {
        QFETCH(QString, model);
        QFETCH(QString, pair);
        if (skipped(pair)) QSKIP("a device is not there");
        const std::string path = std::string(STEELYARD_TEST_DATA) + "/architectures/" + model.toStdString() + ".gguf";
        const int tokens = pair.contains("emulated") ? 4 : 10;
        LoadedEngine alone, two;
        QCOMPARE(alone.load(path, "cpu", TensorType::F16, 320), std::string());
        QCOMPARE(loadPair(two, path, pair, 320), std::string());
        const auto prompt = randomIds(1, pair.contains("emulated") ? 50 : 150);
        const auto expected = alone.generate(alone.request(idsPrompt(prompt), tokens));
        const auto answer = two.generate(two.request(idsPrompt(prompt), tokens));
        const std::string problem = difference(alone, prompt, expected.ids, answer.ids);
        QVERIFY2(problem.empty(), problem.c_str());
        const auto& statistics = answer.end.statistics;
        QCOMPARE(statistics.transferTokens, static_cast<uint32_t>(prompt.size()) - 1);
        QVERIFY(statistics.transferBytes > 0 && statistics.transferMs > 0 && statistics.prefillMs > 0);
        QCOMPARE(statistics.reusedTokens, 0u);
    }

    void aChatGoesOnAcrossDevices_data() {
        QTest::addColumn<QString>("model");
        for (const QString model : {"llama-dense", "gemma3-dense", "deepseek2-heads", "qwen35-dense"}) QTest::newRow(qPrintable(model)) << model;
    }

    void aChatGoesOnAcrossDevices() {
        QFETCH(QString, model);
        const QString pair = "cpu->vulkan";
        if (skipped(pair)) QSKIP("a device is not there");
        const std::string path = std::string(STEELYARD_TEST_DATA) + "/architectures/" + model.toStdString() + ".gguf";
        LoadedEngine alone, two;
        QCOMPARE(alone.load(path, "cpu", TensorType::F16, 320), std::string());
        QCOMPARE(loadPair(two, path, pair, 320), std::string());
        auto ids = randomIds(1, 80);
        for (int turn = 0; turn < 3; ++turn) {
            auto request = two.request(idsPrompt(ids), 6);
            request.chat = 3;
            const auto answer = two.generate(request), expected = alone.generate(alone.request(idsPrompt(ids), 6));
            const std::string problem = difference(alone, ids, expected.ids, answer.ids);
            QVERIFY2(problem.empty(), problem.c_str());
            if (turn > 0) QVERIFY(answer.end.statistics.reusedTokens > 0);
            ids.insert(ids.end(), answer.ids.begin(), answer.ids.end());
            const auto more = randomIds(static_cast<uint64_t>(turn) + 5, turn == 0 ? 60 : 10); // the second is not worth a handover
            ids.insert(ids.end(), more.begin(), more.end());
        }
        QVERIFY(two.engine.forgetChat(3));
        QTRY_COMPARE(two.engine.snapshot()->devices[0].use.kvUsedBytes, uint64_t(0));
    }

    void aCancelledPromptLeavesNothing() {
        const QString pair = "vulkan->cpu";
        if (skipped(pair)) QSKIP("a device is not there");
        LoadedEngine two;
        QCOMPARE(loadPair(two, std::string(STEELYARD_TEST_DATA) + "/architectures/llama-dense.gguf", pair, 320), std::string());
        for (int i = 0; i < 5; ++i) {
            const auto request = two.request(idsPrompt(randomIds(1, 200)), 4);
            QVERIFY(two.engine.submit(request));
            QVERIFY(two.engine.cancel(request.id));
            two.wait(request.id);
        }
        const auto answer = two.generate(two.request(idsPrompt(randomIds(1, 200)), 4));
        QCOMPARE(answer.ids.size(), size_t(4));
        QTRY_COMPARE(two.engine.snapshot()->devices[0].use.kvUsedBytes, uint64_t(0));
    }

    void oneDeviceTwiceIsOneDevice() {
        LoadedEngine engine;
        QCOMPARE(loadPair(engine, std::string(STEELYARD_TEST_DATA) + "/architectures/llama-dense.gguf", "cpu->cpu", 320), std::string());
        QVERIFY(engine.facts.prefillDeviceId.empty());
        QCOMPARE(engine.generate(engine.request(idsPrompt(randomIds(1, 100)), 4)).end.statistics.transferTokens, 0u);
    }

    void aRealModelToo() {
        const std::string path = modelFolder() + "/" + kSmolLm2;
        if (!std::filesystem::exists(path)) QSKIP("the model is not in STEELYARD_MODEL_CACHE");
        if (skipped("cpu->vulkan")) QSKIP("a device is not there");
        LoadedEngine alone, two;
        QCOMPARE(alone.load(path, "cpu", TensorType::F16, 256), std::string());
        QCOMPARE(loadPair(two, path, "cpu->vulkan", 256), std::string());
        const auto prompt = randomIds(4, 60, 40000);
        const auto expected = alone.generate(alone.request(idsPrompt(prompt), 4)), answer = two.generate(two.request(idsPrompt(prompt), 4));
        const std::string problem = difference(alone, prompt, expected.ids, answer.ids);
        QVERIFY2(problem.empty(), problem.c_str());
        QCOMPARE(answer.end.statistics.transferTokens, 59u);
    }
};

QTEST_GUILESS_MAIN(TestHandover)
#include "test_handover.moc"
