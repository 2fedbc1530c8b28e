// What a load is said to take: the published figures, from heads without data.
#include "engine/backend/cpu/cpu_device.h"
#include "engine/engine.h"
#include "engine/model/architectures.h"
#include "tests/engine/model_heads.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace steelyard;

namespace {

constexpr double kGigabyte = 1e9;

const HeadShape kLlama13{"llama", 40, 5120, 13824, 40, 40};
const HeadShape kLlama3Of8{"llama", 32, 4096, 14336, 32, 8, 128, 128256, 131072};
const HeadShape kLlama3Of70{"llama", 80, 8192, 28672, 64, 8, 128, 128256, 262144};
const HeadShape kGemma3Of12{"gemma3", 48, 3840, 15360, 16, 8, 256, 262208, 131072, 1024, true};

// Seven billion weights, as the rule of thumb has it.
HeadShape sevenBillion(TensorType type) {
    HeadShape shape{"llama", 32, 4096, 11680};
    shape.type = type;
    return shape;
}

// A plan for the processor without its own layouts: weights take what the file has.
MemoryPlan planOf(const HeadShape& shape, PlanOptions options = {}, std::optional<uint64_t> freeBytes = std::nullopt) {
    const auto device = openCpu(1, true);
    const GgufFile file = ModelHead(shape).file();
    const auto spec = readSpec(file);
    if (!spec) throw std::runtime_error(spec.sentence());
    const auto plan = planMemory(*spec, file, *device, options, freeBytes);
    if (!plan) throw std::runtime_error(plan.sentence());
    return *plan;
}

PlanOptions contextOf(uint32_t tokens, TensorType type = TensorType::F16) {
    PlanOptions options;
    options.contextLength = tokens;
    options.cacheTypes = {type, type};
    return options;
}

bool near(double found, double right, double share) { return std::abs(found - right) <= right * share; }

uint64_t bytesPerToken(const std::vector<CacheLayer>& layers) { return CacheLayout::make(layers, {}, {4096, 256, 1})->growingBytesPerToken(); }

} // namespace

class TestMemoryPlan : public QObject {
    Q_OBJECT

private slots:
    void aDraftThatHasNoRoomBesideTheModelIsLeftOut() {
        MemoryPlan plan;
        plan.totalBytes = 3ull << 30;
        plan.roomBytes = 5ull << 30;
        plan.fit = MemoryPlan::Fit::Fits;
        MemoryPlan with = plan;
        addDraft(with, 1ull << 29);
        QCOMPARE(with.totalBytes, (3ull << 30) + (1ull << 29));
        QVERIFY(with.draftBytes == 1ull << 29 && with.fit == MemoryPlan::Fit::Fits);
        with = plan;
        addDraft(with, 3ull << 29);
        QVERIFY(with.draftBytes == 3ull << 29 && with.fit == MemoryPlan::Fit::Tight);
        with = plan;
        addDraft(with, (2ull << 30) + 1);
        QVERIFY(with.draftBytes == 0 && with.totalBytes == plan.totalBytes && with.fit == MemoryPlan::Fit::Fits);
    }

    void llama2Of13Billion() {
        const auto plan = planOf(kLlama13, contextOf(4096));
        QCOMPARE(plan.kinds.at(0).bytesPerToken, uint64_t(819200));
        QVERIFY(near(double(plan.kvBytes), 3.36 * kGigabyte, 0.01)); // and a block for padding
    }

    void llama3Of70BillionAt200000Tokens_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("gigabytes");
        QTest::newRow("f16") << int(TensorType::F16) << 65.5;
        for (const auto& [name, type, gigabytes] : {std::tuple{"q8_0", TensorType::Q8_0, 34.8}, std::tuple{"q4_0", TensorType::Q4_0, 18.4}})
            QTest::newRow(name) << int(type) << gigabytes;
    }

    void llama3Of70BillionAt200000Tokens() {
        QFETCH(int, type);
        QFETCH(double, gigabytes);
        const auto plan = planOf(kLlama3Of70, contextOf(200000, TensorType(type)));
        QCOMPARE(plan.contextLength, 200000u);
        if (TensorType(type) == TensorType::F16) QCOMPARE(plan.kinds.at(0).bytesPerToken, uint64_t(327680));
        QVERIFY2(near(double(plan.kvBytes), gigabytes * kGigabyte, 0.005), qPrintable(QString::number(double(plan.kvBytes))));
    }

    void weightsOfSevenBillion_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("gigabytes");
        QTest::newRow("32 bits") << int(TensorType::F32) << 28.0;
        QTest::newRow("16 bits") << int(TensorType::F16) << 14.0;
        QTest::newRow("Q8_0") << int(TensorType::Q8_0) << 7.44;
        QTest::newRow("Q4_0") << int(TensorType::Q4_0) << 3.94;
    }

    void weightsOfSevenBillion() {
        QFETCH(int, type);
        QFETCH(double, gigabytes);
        const auto plan = planOf(sevenBillion(TensorType(type)));
        QVERIFY2(near(double(plan.weightsBytes), gigabytes * kGigabyte, 0.005), qPrintable(QString::number(double(plan.weightsBytes))));
    }

    // Of a block of 32 weights two bytes are its scale; without them 8 and 4 bits a weight remain.
    void bitsOfWeightsWithoutTheirScales() {
        QVERIFY(near(double(planOf(sevenBillion(TensorType::Q8_0)).weightsBytes) * 32 / 34, 7 * kGigabyte, 0.005));
        QVERIFY(near(double(planOf(sevenBillion(TensorType::Q4_0)).weightsBytes) * 16 / 18, 3.5 * kGigabyte, 0.005));
        HeadShape shape = kLlama3Of70;
        QVERIFY(near(double(planOf(shape).weightsBytes), 140 * kGigabyte, 0.01));
        shape.type = TensorType::Q8_0;
        QVERIFY(near(double(planOf(shape).weightsBytes) * 32 / 34, 70 * kGigabyte, 0.01));
        shape.type = TensorType::Q4_0;
        QVERIFY(near(double(planOf(shape).weightsBytes) * 16 / 18, 35 * kGigabyte, 0.01));
    }

    // A latent vector and an index key of each of 61 layers.
    void deepseekOfAMillionTokens() {
        std::vector<CacheLayer> layers(61, {1, 576, 0, 0});
        layers.insert(layers.end(), 61, {1, 128, 0, 0});
        QCOMPARE(bytesPerToken(layers), uint64_t(85888));
        const auto layout = CacheLayout::make(layers, {}, {1000000, 256, 1});
        QVERIFY(near(double(layout->arenaBytes()), 85.888 * kGigabyte, 0.001));
        // Compressed keys, of four tokens each or of 128 in turn, and index keys where a token chooses: about a tenth.
        std::vector<CacheLayer> compressed;
        for (int pair = 0; pair < 30; ++pair) {
            compressed.push_back({1, 512, 0, 0, 4});
            compressed.push_back({1, 128, 0, 0, 4});
            compressed.push_back({1, 512, 0, 0, 128});
        }
        const auto bytes = double(bytesPerToken(compressed));
        QVERIFY2(bytes > 0.05 * 85888 && bytes < 0.15 * 85888, qPrintable(QString::number(bytes)));
    }

    // 1,024 MiB of full layers and 200 MiB of windowed ones: what the windows and a chunk hold, and no more.
    void M01_windowedLayersCountWithTheirWindow() {
        constexpr uint64_t kMebibyte = 1u << 20;
        std::vector<CacheLayer> layers(8, {1, 512, 512, 0});
        layers.insert(layers.end(), 40, {8, 256, 256, 512});
        const auto layout = CacheLayout::make(layers, {}, {65536, 128, 1});
        const auto &full = layout->groups().at(0), &windowed = layout->groups().at(1);
        QCOMPARE((full.blocks - 1) * full.blockBytes, 1024 * kMebibyte);
        const uint64_t cells = uint64_t(windowed.blocks) * windowed.blockBytes;
        QVERIFY(cells >= 200 * kMebibyte && cells <= 200 * kMebibyte + 2 * windowed.blockBytes); // its end, and the padding's block

        const auto shorter = planOf(kGemma3Of12, contextOf(8192)), longer = planOf(kGemma3Of12, contextOf(32768));
        QCOMPARE(longer.kinds.size(), size_t(2));
        QCOMPARE(longer.kvBytes - shorter.kvBytes, uint64_t(8) * 8192 * (32768 - 8192)); // the 8 full layers of 48
        for (const auto& kind : longer.kinds) QCOMPARE(kind.fixedBytes > 0, kind.kind == "window");
    }

    void M02_aPlanIsNoOverestimate() {
        const auto plan = planOf(kLlama3Of8, contextOf(80000));
        QCOMPARE(plan.kinds.at(0).bytesPerToken, uint64_t(131072));
        QVERIFY(near(double(plan.kvBytes), 131072.0 * 80000, 0.001));
        QVERIFY(plan.computeBytes < uint64_t(300) << 20);
        QCOMPARE(plan.totalBytes, plan.weightsBytes + plan.kvBytes + plan.computeBytes);
    }

    void windowedLayersTakeTheirWindowOnly() {
        std::vector<CacheLayer> mixed(5, {1, 256, 256, 512});
        mixed.push_back({1, 256, 256, 0});
        const auto shorter = CacheLayout::make(mixed, {}, {4096, 256, 1}), longer = CacheLayout::make(mixed, {}, {32768, 256, 1});
        QVERIFY(shorter.ok() && longer.ok());
        QCOMPARE(shorter->groups().size(), size_t(2));
        QCOMPARE(shorter->groups()[0].blocks, longer->groups()[0].blocks);
        QCOMPARE(longer->arenaBytes() - shorter->arenaBytes(), uint64_t(32768 - 4096) * 1024); // the one full layer
    }

    void unknownCacheTypesAreRefusedInWords() {
        const auto layout = CacheLayout::make({{1, 64, 64, 0}}, {TensorType::Q6_K, TensorType::F16}, {128, 32, 1});
        QVERIFY(!layout.ok());
        QVERIFY(QString::fromStdString(layout.sentence()).contains("Q6_K"));
    }

    void aPlanNamesTheContextAtWhichMemoryEnds() {
        const auto roomy = planOf(kLlama3Of8, contextOf(4096), uint64_t(256) << 30);
        QCOMPARE(roomy.contextLimit, 131072u); // the model's own
        QVERIFY(roomy.fit == MemoryPlan::Fit::Fits);
        for (const uint64_t free : {roomy.totalBytes + roomy.hostBytes, roomy.totalBytes + roomy.hostBytes + (uint64_t(1) << 30)}) {
            const auto plan = planOf(kLlama3Of8, contextOf(4096), free);
            QVERIFY(plan.fit != MemoryPlan::Fit::WillNotFit);
            QVERIFY(plan.contextLimit >= 4096 && plan.contextLimit < 131072);
            const auto longest = planOf(kLlama3Of8, contextOf(plan.contextLimit), free), beyond = planOf(kLlama3Of8, contextOf(plan.contextLimit + 64), free);
            QVERIFY(longest.fit == MemoryPlan::Fit::Tight);
            QVERIFY(beyond.fit == MemoryPlan::Fit::WillNotFit && beyond.missingBytes > 0);
        }
    }

    void moreRepliesTakeMoreWindows() {
        PlanOptions one = contextOf(32768), four = one;
        four.sequences = 4;
        const auto plan = planOf(kGemma3Of12, one), wider = planOf(kGemma3Of12, four);
        const auto fixed = [](const MemoryPlan& of) { return of.kinds[0].fixedBytes + of.kinds[1].fixedBytes; };
        QVERIFY(fixed(wider) > 3.5 * double(fixed(plan)));
        QCOMPARE(wider.weightsBytes, plan.weightsBytes);
    }

    void headsWithoutDataArePlanned() {
        const QTemporaryDir folder;
        const auto write = [&](const char* name, const std::string& bytes) {
            QFile file(folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly)) qFatal("the test cannot write");
            file.write(bytes.data(), static_cast<qint64>(bytes.size()));
        };
        const ModelHead head(kLlama3Of8);
        write("whole.gguf", head.bytes());
        write("parts-00001-of-00002.gguf", head.part(0));
        write("parts-00002-of-00002.gguf", head.part(1));
        LoadRequest request;
        request.device = "cpu";
        request.path = folder.filePath("whole.gguf").toStdString();
        const auto whole = Engine::plan(request);
        QVERIFY2(whole.ok(), whole.sentence().c_str());
        request.path = folder.filePath("parts-00001-of-00002.gguf").toStdString();
        const auto parts = Engine::plan(request);
        QVERIFY2(parts.ok(), parts.sentence().c_str());
        QCOMPARE(parts->totalBytes, whole->totalBytes);
        QVERIFY(whole->weightsBytes > uint64_t(14) << 30);
    }
};

QTEST_GUILESS_MAIN(TestMemoryPlan)
#include "test_memory_plan.moc"
