// What a load is said to take against the published figures and against what it takes.
#include "tests/engine/loaded_engine.h"

using namespace steelyard;

namespace {

const std::string kFolder = std::string(STEELYARD_TEST_DATA) + "/architectures/";

std::vector<CacheLayer> layers(uint32_t count, CacheLayer layer) { return std::vector<CacheLayer>(count, layer); }

uint64_t bytesPerToken(const std::vector<CacheLayer>& layers, TensorType type = TensorType::F16) {
    return CacheLayout::make(layers, {type, type}, {4096, 256, 1})->growingBytesPerToken();
}

} // namespace

class TestMemoryPlan : public QObject {
    Q_OBJECT

private slots:
    void publishedCacheSizes() {
        const auto llama13 = layers(40, {40, 128, 128, 0}); // Llama-2-13B
        QCOMPARE(bytesPerToken(llama13), uint64_t(819200));
        QCOMPARE(bytesPerToken(llama13) * 4096, uint64_t(3355443200));
        QCOMPARE(bytesPerToken(layers(80, {8, 128, 128, 0})), uint64_t(327680)); // Llama-3-70B
        QCOMPARE(bytesPerToken(layers(80, {8, 128, 128, 0}), TensorType::F32), uint64_t(655360));
    }

    void windowedLayersTakeTheirWindowOnly() {
        std::vector<CacheLayer> mixed = layers(5, {1, 256, 256, 512});
        mixed.push_back({1, 256, 256, 0});
        const auto shorter = CacheLayout::make(mixed, {}, {4096, 256, 1}), longer = CacheLayout::make(mixed, {}, {32768, 256, 1});
        QVERIFY(shorter.ok() && longer.ok());
        QCOMPARE(shorter->groups().size(), size_t(2));
        QCOMPARE(shorter->groups()[0].blocks, longer->groups()[0].blocks);
        QCOMPARE(longer->arenaBytes() - shorter->arenaBytes(), uint64_t(32768 - 4096) * 1024); // the one full layer
    }

    void unknownCacheTypesAreRefusedInWords() {
        const auto layout = CacheLayout::make(layers(1, {1, 64, 64, 0}), {TensorType::Q6_K, TensorType::F16}, {128, 32, 1});
        QVERIFY(!layout.ok());
        QVERIFY(QString::fromStdString(layout.sentence()).contains("Q6_K"));
    }

    void whatIsSaidIsWhatIsTaken_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("context");
        QTest::addColumn<QString>("device");
        for (const char* model : {"llama-dense", "qwen2-dense", "qwen3-dense", "gemma3-dense"})
            for (const char* device : {"cpu", "vulkan"})
                for (const int context : {32, 256})
                    QTest::addRow("%s, %d tokens, %s", model, context, device) << QString::fromStdString(kFolder) + model + ".gguf" << context << device;
        for (const char* model : {kSmolLm2, kGemma3})
            for (const int context : {512, 4096})
                QTest::addRow("%s, %d tokens, cpu", model, context) << QString::fromStdString(modelFolder()) + "/" + model << context << "cpu";
    }

    void whatIsSaidIsWhatIsTaken() {
        QFETCH(QString, path);
        QFETCH(int, context);
        QFETCH(QString, device);
        if (!QFile::exists(path)) QSKIP("the model is not in STEELYARD_MODEL_CACHE");
        if (deviceMissing(device.toStdString())) QSKIP("the device is not there");
        LoadRequest request;
        request.path = path.toStdString();
        request.device = device.toStdString();
        request.contextLength = static_cast<uint32_t>(context);
        const auto plan = Engine::plan(request);
        QVERIFY2(plan.ok(), plan.sentence().c_str());
        LoadedEngine engine;
        const std::string problem = engine.load(request.path, request.device, TensorType::F16, request.contextLength);
        QVERIFY2(problem.empty(), problem.c_str());
        const auto use = engine.engine.snapshot()->devices.at(0).use;
        QCOMPARE(use.weightsBytes, plan->weightsBytes);
        QCOMPARE(use.kvUsedBytes + use.kvCachedBytes + use.kvReservedBytes, plan->kvBytes);
        QCOMPARE(use.computeBytes, plan->computeBytes);
        QCOMPARE(plan->contextLength, request.contextLength);
    }

    void aPlanNamesTheContextAtWhichMemoryEnds() {
        LoadRequest request;
        request.path = kFolder + "llama-dense.gguf";
        request.device = "cpu";
        const auto plan = Engine::plan(request);
        QVERIFY2(plan.ok(), plan.sentence().c_str());
        QCOMPARE(plan->contextLimit, 256u); // the model's own: memory is plenty
        QCOMPARE(plan->kinds.size(), size_t(1));
        QCOMPARE(plan->kinds[0].bytesPerToken, uint64_t(2 * 2 * 64 * 2)); // layers, K and V, values, bytes
    }
};

QTEST_GUILESS_MAIN(TestMemoryPlan)
#include "test_memory_plan.moc"
