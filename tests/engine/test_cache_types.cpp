// The types of the KV cache: what they take, what they cost in quality, who keeps F16, and that a prompt's cut does not matter.
#include "tests/engine/loaded_engine.h"

#include "engine/cache/cache_layout.h"

#include <algorithm>
#include <cmath>

using namespace steelyard;

namespace {

std::filesystem::path tiny(const std::string& name) { return std::string(STEELYARD_TEST_DATA) + "/architectures/" + name + ".gguf"; }

// Ids below 120, the same each time.
std::vector<int32_t> someIds(size_t count) {
    std::vector<int32_t> ids(count);
    for (size_t i = 0; i < count; ++i) ids[i] = static_cast<int32_t>((i * i * 7 + i * 13 + 5) % 120);
    return ids;
}

// Mean squared error over mean square.
double distance(const std::vector<float>& values, const std::vector<float>& right) {
    double error = 0, size = 0;
    for (size_t i = 0; i < right.size(); ++i) {
        error += (double(values[i]) - right[i]) * (double(values[i]) - right[i]);
        size += double(right[i]) * right[i];
    }
    return error / size;
}

bool mentions(const ModelFacts& facts, const char* words) {
    return std::any_of(facts.notices.begin(), facts.notices.end(), [&](const std::string& notice) { return notice.find(words) != std::string::npos; });
}

// How far the logits of a tiny model may be from those with a cache of floats.
double boundOf(TensorType type) {
    switch (type) {
    case TensorType::F32: return 1e-9;
    case TensorType::F16: return 1e-6;
    case TensorType::BF16: return 3e-5;
    case TensorType::Q8_0: return 2e-4;
    case TensorType::FP8_E4M3: return 5e-3;
    case TensorType::Q5_1: return 5e-3;
    default: return 3e-2;
    }
}

} // namespace

class TestCacheTypes : public QObject {
    Q_OBJECT

private slots:
    void sizesFollowFromTheTypes_data();
    void sizesFollowFromTheTypes();
    void publishedSizes();
    void keysAndValuesHaveTypesOfTheirOwn();
    void headsThatAreNoWholeGroupsAreRefused();
    void namesAreThoseOfTheList();
    void modelsRunWithEveryType_data();
    void modelsRunWithEveryType();
    void cuttingAPromptDoesNotMatter_data();
    void cuttingAPromptDoesNotMatter();
    void rotationLosesLess();
    void attentionSinksKeepHalves();
    void compressedKeysKeepHalves();
    void oddHeadsKeepHalves();
    void chatsBeyondTheContextEndInWords_data();
    void chatsBeyondTheContextEndInWords();
};

void TestCacheTypes::sizesFollowFromTheTypes_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("groupBytes"); // of 32 values
    const std::pair<TensorType, int> rows[] = {{TensorType::F32, 128}, {TensorType::F16, 64},    {TensorType::BF16, 64},
                                               {TensorType::Q8_0, 34}, {TensorType::FP8_E4M3, 32}, {TensorType::Q5_1, 24},
                                               {TensorType::IQ4_NL, 18}, {TensorType::Q4_0, 18}, {TensorType::MXFP4, 17}};
    for (const auto& [type, bytes] : rows) QTest::addRow("%s", std::string(cacheTypeName(type)).c_str()) << int(type) << bytes;
    QCOMPARE(cacheTypes().size(), std::size(rows));
}

void TestCacheTypes::sizesFollowFromTheTypes() {
    QFETCH(int, type);
    QFETCH(int, groupBytes);
    const auto t = static_cast<TensorType>(type);
    const std::vector<CacheLayer> layers(3, CacheLayer{4, 128, 64, 0});
    const auto layout = CacheLayout::make(layers, {t, t}, {4096, 256, 1});
    QVERIFY2(layout.ok(), layout.sentence().c_str());
    QCOMPARE(layout->growingBytesPerToken(), uint64_t(3 * 4 * (128 + 64) / 32) * uint64_t(groupBytes));
    QCOMPARE(layout->place(1).offsetV % 64, uint64_t(0));
}

void TestCacheTypes::publishedSizes() {
    const auto gigabytes = [](TensorType type) {
        const std::vector<CacheLayer> layers(80, CacheLayer{8, 128, 128, 0}); // Llama-3-70B
        return double(CacheLayout::make(layers, {type, type}, {200000, 256, 1})->growingBytesPerToken()) * 200000 / 1e9;
    };
    QCOMPARE(QString::number(gigabytes(TensorType::F16), 'f', 1), QString("65.5"));
    QCOMPARE(QString::number(gigabytes(TensorType::Q8_0), 'f', 1), QString("34.8"));
    QCOMPARE(QString::number(gigabytes(TensorType::Q4_0), 'f', 1), QString("18.4"));
}

void TestCacheTypes::keysAndValuesHaveTypesOfTheirOwn() {
    const auto layout = CacheLayout::make({{2, 64, 32, 0}}, {TensorType::FP8_E4M3, TensorType::Q4_0}, {128, 32, 1});
    QVERIFY(layout.ok());
    QCOMPARE(layout->growingBytesPerToken(), uint64_t(2 * (2 * 32 + 18)));
    QVERIFY(!layout->rotatesK() && layout->rotatesV());
    QVERIFY(!CacheLayout::make({{2, 64, 32, 0}}, {TensorType::Q4_0, TensorType::Q4_0, false}, {128, 32, 1})->rotatesK());
}

void TestCacheTypes::headsThatAreNoWholeGroupsAreRefused() {
    for (const CacheLayer& layer : {CacheLayer{2, 80, 64, 0}, CacheLayer{2, 64, 80, 0}}) {
        const auto layout = CacheLayout::make({layer}, {TensorType::Q8_0, TensorType::Q8_0}, {128, 32, 1});
        QVERIFY2(layout.sentence().find("Heads of 80 values") != std::string::npos, layout.sentence().c_str());
        QVERIFY(CacheLayout::make({layer}, {TensorType::BF16, TensorType::F32}, {128, 32, 1}).ok());
    }
}

void TestCacheTypes::namesAreThoseOfTheList() {
    for (const auto& row : cacheTypes()) QCOMPARE(*cacheTypeFromName(row.name), row.type);
    QVERIFY(cacheTypeFromName("q6_k").sentence().find("fp8_e4m3") != std::string::npos);
}

// Every type on the processor, and on the other devices with other models: grouped queries, windows, latent attention.
void TestCacheTypes::modelsRunWithEveryType_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("device");
    QTest::addColumn<int>("k");
    QTest::addColumn<int>("v");
    const auto row = [](const char* model, const char* device, TensorType k, TensorType v) {
        QTest::addRow("%s, %s, %s, %s", model, device, std::string(cacheTypeName(k)).c_str(), std::string(cacheTypeName(v)).c_str())
            << QString(model) << QString(device) << int(k) << int(v);
    };
    const char* devices[] = {"vulkan", "emulated"};
    size_t next = 0;
    for (const auto& type : cacheTypes()) {
        row("llama-dense", "cpu", type.type, type.type);
        row("gemma3-dense", "cpu", type.type, type.type);
        for (const char* device : devices) row(next % 2 ? "llama-dense" : "gemma3-dense", device, type.type, type.type);
        ++next;
    }
    for (const char* device : {"cpu", "vulkan", "emulated"}) {
        row("deepseek2-moe", device, TensorType::Q8_0, TensorType::F16);
        row("deepseek2-moe", device, TensorType::Q4_0, TensorType::F16); // latent values turn with their keys
        row("llama-dense", device, TensorType::F16, TensorType::Q4_0);
        row("llama-dense", device, TensorType::Q5_1, TensorType::F32);
        row("qwen35-dense", device, TensorType::Q4_0, TensorType::IQ4_NL);
    }
}

void TestCacheTypes::modelsRunWithEveryType() {
    QFETCH(QString, model);
    QFETCH(QString, device);
    QFETCH(int, k);
    QFETCH(int, v);
    if (deviceMissing(device.toStdString())) QSKIP("no such device here");
    const auto typeK = static_cast<TensorType>(k), typeV = static_cast<TensorType>(v);
    LoadedEngine measured, reference;
    QCOMPARE(measured.load(tiny(model.toStdString()), device.toStdString(), typeK, 64, typeV), std::string());
    QVERIFY(measured.facts.notices.empty());
    QCOMPARE(reference.load(tiny(model.toStdString()), device.toStdString(), TensorType::F32, 64), std::string());
    const auto ids = someIds(50);
    const auto logits = measured.score(ids), right = reference.score(ids);
    QVERIFY(logits.ok() && right.ok());
    // A small change may choose other experts.
    const double found = distance(*logits, *right), bound = std::max(boundOf(typeK), boundOf(typeV)) * (model.contains("moe") ? 8 : 1);
    QVERIFY2(found <= bound, qPrintable(QString("%1 above %2").arg(found).arg(bound)));
    if (bound > 1e-8) QVERIFY(found > 0);
}

void TestCacheTypes::cuttingAPromptDoesNotMatter_data() {
    QTest::addColumn<int>("type");
    for (const auto& type : cacheTypes()) QTest::addRow("%s", std::string(type.name).c_str()) << int(type.type);
}

// A chunk reads back from the cache what it wrote, so that it sees what single tokens would.
void TestCacheTypes::cuttingAPromptDoesNotMatter() {
    QFETCH(int, type);
    for (const char* model : {"llama-dense", "gemma3-dense"}) {
        LoadedEngine engine;
        QCOMPARE(engine.load(tiny(model), "cpu", static_cast<TensorType>(type), 64), std::string());
        const auto ids = someIds(45);
        const auto whole = engine.score(ids), pieces = engine.score(ids, 0, 7), single = engine.score(ids, 0, 1);
        QVERIFY(whole.ok() && pieces.ok() && single.ok());
        QVERIFY2(*whole == *pieces, model);
        QVERIFY2(*whole == *single, model);
    }
}

// On the real model, where single dimensions of the keys stand out.
void TestCacheTypes::rotationLosesLess() {
    const std::filesystem::path path = modelFolder() + "/" + kSmolLm2;
    if (modelFolder().empty() || !std::filesystem::exists(path)) QSKIP("the model cache has no SmolLM2");
    Engine engine(EngineOptions{});
    ModelId next = 0;
    const auto logitsWith = [&](TensorType type, bool rotates) {
        LoadRequest request;
        request.model = ++next;
        request.path = path;
        request.device = "cpu";
        request.contextLength = 128;
        request.kvTypeK = request.kvTypeV = type;
        request.kvRotation = rotates;
        engine.load(request);
        for (bool done = false; !done;)
            for (const auto& event : engine.waitForEvents(1000))
                if (std::get_if<LoadFinished>(&event) || std::get_if<LoadFailed>(&event)) done = true;
        ScoreRequest score;
        score.model = request.model;
        score.ids = someIds(96);
        std::vector<float> logits;
        (void)engine.score(score, [&](uint32_t, std::span<const float> row) { logits.insert(logits.end(), row.begin(), row.end()); });
        return logits;
    };
    const auto right = logitsWith(TensorType::F32, true);
    QVERIFY(!right.empty());
    const double with = distance(logitsWith(TensorType::Q4_0, true), right), without = distance(logitsWith(TensorType::Q4_0, false), right);
    QVERIFY2(with > 0 && with < 0.7 * without, qPrintable(QString("%1 with and %2 without").arg(with).arg(without)));
}

void TestCacheTypes::attentionSinksKeepHalves() {
    LoadedEngine coarse, halves;
    QCOMPARE(coarse.load(tiny("gpt-oss-moe"), "cpu", TensorType::Q8_0, 64, TensorType::Q4_0), std::string());
    QCOMPARE(halves.load(tiny("gpt-oss-moe"), "cpu", TensorType::F16, 64), std::string());
    QVERIFY(mentions(coarse.facts, "attention sinks") && mentions(coarse.facts, "f16 instead of q8_0 and q4_0"));
    QVERIFY(!mentions(halves.facts, "attention sinks"));
    QCOMPARE(coarse.facts.kvBytesPerToken, halves.facts.kvBytesPerToken);
    QCOMPARE(*coarse.score(someIds(40)), *halves.score(someIds(40)));
    // Floats are not coarser.
    LoadedEngine floats;
    QCOMPARE(floats.load(tiny("gpt-oss-moe"), "cpu", TensorType::F32, 64), std::string());
    QVERIFY(!mentions(floats.facts, "attention sinks"));
    QVERIFY(floats.facts.kvBytesPerToken > halves.facts.kvBytesPerToken);
}

void TestCacheTypes::compressedKeysKeepHalves() {
    LoadedEngine coarse, halves;
    QCOMPARE(coarse.load(tiny("deepseek4-tiny"), "cpu", TensorType::Q8_0, 64), std::string());
    QCOMPARE(halves.load(tiny("deepseek4-tiny"), "cpu", TensorType::F16, 64), std::string());
    QVERIFY(mentions(coarse.facts, "compresses keys"));
    QCOMPARE(*coarse.score(someIds(40)), *halves.score(someIds(40)));
}

void TestCacheTypes::oddHeadsKeepHalves() {
    LoadedEngine coarse, halves;
    QCOMPARE(coarse.load(tiny("qwen3-dense"), "cpu", TensorType::Q8_0, 64), std::string());
    QCOMPARE(halves.load(tiny("qwen3-dense"), "cpu", TensorType::F16, 64), std::string());
    QVERIFY(mentions(coarse.facts, "heads of 16 values") && mentions(coarse.facts, "so keys") && mentions(coarse.facts, "so values"));
    QCOMPARE(*coarse.score(someIds(40)), *halves.score(someIds(40)));
    // Only the keys of latent attention have a size that does not fit.
    LoadedEngine latent;
    QCOMPARE(latent.load(tiny("deepseek2-heads"), "cpu", TensorType::Q4_0, 64), std::string());
    QVERIFY(mentions(latent.facts, "heads of 48 values"));
}

void TestCacheTypes::chatsBeyondTheContextEndInWords_data() { cuttingAPromptDoesNotMatter_data(); }

// A full context ends a reply, and the next one starts afresh, with whatever type; keys and values of different types too.
void TestCacheTypes::chatsBeyondTheContextEndInWords() {
    QFETCH(int, type);
    LoadedEngine engine;
    QCOMPARE(engine.load(tiny("llama-dense"), "cpu", static_cast<TensorType>(type), 48, TensorType::Q4_0), std::string());
    auto request = engine.request(idsPrompt(someIds(40)), 200);
    request.chat = 1;
    const auto full = engine.generate(request);
    QCOMPARE(int(full.end.reason), int(StopReason::ContextFull));
    auto next = engine.request(idsPrompt(someIds(30)), 4);
    next.chat = 1;
    const auto again = engine.generate(next);
    QCOMPARE(int(again.end.reason), int(StopReason::TokenLimit));
    LoadedEngine fresh;
    QCOMPARE(fresh.load(tiny("llama-dense"), "cpu", static_cast<TensorType>(type), 48, TensorType::Q4_0), std::string());
    QCOMPARE(fresh.generate(fresh.request(idsPrompt(someIds(30)), 4)).ids, again.ids);
}

QTEST_GUILESS_MAIN(TestCacheTypes)
#include "test_cache_types.moc"
