// A model whose layers lie on several devices: the same logits wherever it is cut, and a plan that says where.
#include "engine/backend/backends.h"
#include "engine/backend/cpu/cpu_device.h"
#include "engine/memory/split_plan.h"
#include "tests/engine/loaded_engine.h"
#include "tests/engine/model_heads.h"
#include "tests/engine/placed_model.h"

#include <QDir>

#include <algorithm>

using namespace steelyard;

namespace {

const std::string kFolder = kTinyModels;

Placement cutAt(const TinyFile& tiny, uint32_t layer) {
    Placement placement;
    const auto layers = static_cast<uint32_t>(tiny.spec.layers.size());
    for (uint32_t number = 0; number < layers; ++number) placement.mixers.push_back(number < layer ? 1 : 0); // the processor is number 1
    placement.feedForwards = placement.mixers;
    placement.input = placement.mixers.front();
    return placement;
}

// Every cut that the model allows, and where parts of layers may lie apart all feed-forwards on the other device.
std::vector<Placement> placementsOf(const TinyFile& tiny) {
    std::vector<Placement> placements;
    const auto layers = static_cast<uint32_t>(tiny.spec.layers.size());
    for (uint32_t layer = 1; layer <= layers; ++layer)
        if (layer == layers || canPart(tiny.spec, layer)) placements.push_back(cutAt(tiny, layer));
    Placement apart = cutAt(tiny, 0);
    for (uint32_t layer = 0; layer < layers; ++layer)
        if (canPartWithin(tiny.spec, layer)) apart.feedForwards[layer] = 1;
    placements.push_back(apart);
    return placements;
}

double normalisedError(const std::vector<float>& found, const std::vector<float>& right) {
    double error = 0, total = 0;
    for (size_t i = 0; i < right.size(); ++i) {
        error += (double(found[i]) - right[i]) * (double(found[i]) - right[i]);
        total += double(right[i]) * right[i];
    }
    return error / total;
}

QStringList allModels() {
    QStringList names;
    for (const auto& file : QDir(QString::fromStdString(kFolder)).entryList({"*.gguf"}, QDir::Files, QDir::Name))
        if (!file.startsWith("dream") && !file.startsWith("llada")) names << file.chopped(5);
    return names;
}

const HeadShape kLlama8{"llama", 32, 4096, 14336, 32, 8, 128, 128256, 131072};

} // namespace

class TestSplitModel : public QObject {
    Q_OBJECT

private slots:
    // Two processors: the same numbers wherever a model is cut, bit for bit.
    void theSameLogitsWhereverItIsCut_data() {
        QTest::addColumn<QString>("model");
        for (const QString& model : allModels()) QTest::newRow(qPrintable(model)) << model;
    }

    void theSameLogitsWhereverItIsCut() {
        QFETCH(QString, model);
        const TinyFile tiny = openTiny(model.toStdString());
        const auto first = openCpu(2), second = openCpu(1);
        const auto whole = logitsOf(*loadPlaced(tiny, {first.get()}, {}), 16);
        for (const Placement& placement : placementsOf(tiny)) {
            auto split = loadPlaced(tiny, {first.get(), second.get()}, placement);
            QCOMPARE(split->devices(), 2u);
            QVERIFY(logitsOf(*split, 16) == whole);
            QVERIFY(logitsOf(*split, 1) == whole); // recorded steps, and states that go on
        }
    }

    void aGpuAndTheProcessorShareAModel_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("model");
        for (const char* device : {"vulkan", "emulated"})
            for (const char* model : {"llama-dense", "gemma3-dense", "qwen3moe-moe", "deepseek2-moe", "qwen35-dense"})
                QTest::newRow(qPrintable(QString("%1 on %2").arg(model, device))) << QString(device) << QString(model);
    }

    void aGpuAndTheProcessorShareAModel() {
        QFETCH(QString, device);
        QFETCH(QString, model);
        auto gpu = openDevice(device.toStdString(), {});
        if (!gpu) {
            if (qEnvironmentVariableIsSet("STEELYARD_REQUIRE_DEVICES")) QFAIL("the device is missing");
            QSKIP("the device is not there");
        }
        const TinyFile tiny = openTiny(model.toStdString());
        const auto processor = openCpu(2);
        const auto whole = logitsOf(*loadPlaced(tiny, {processor.get()}, {}), 48);
        for (const Placement& placement : placementsOf(tiny)) {
            const auto found = logitsOf(*loadPlaced(tiny, {gpu->get(), processor.get()}, placement), 48);
            const double error = normalisedError(found, whole);
            QVERIFY2(error <= 1e-4, qPrintable(QString::number(error)));
        }
    }

    void aLayerStaysWithTheCacheThatItReads() {
        const TinyFile tiny = openTiny("gemma4-per-layer");
        for (uint32_t layer = 0; layer < tiny.spec.layers.size(); ++layer) {
            const auto& attention = tiny.spec.layers[layer].attention;
            if (attention && attention->cacheOf) QVERIFY(!canPart(tiny.spec, *attention->cacheOf + 1));
        }
        QVERIFY(canPart(tiny.spec, 0));
    }

    // The more a device has, the more layers it gets, and what is planned fits.
    void aPlanGivesADeviceWhatItHasRoomFor() {
        const GgufFile file = ModelHead(kLlama8).file();
        const auto spec = readSpec(file);
        QVERIFY2(spec.ok(), spec.sentence().c_str());
        const auto processor = openCpu(1, true), other = openCpu(1, true); // stands for a card that maps nothing of its own
        uint32_t before = 0;
        for (const uint64_t gigabytes : {2, 4, 8, 12, 20}) {
            const auto split = planSplit(*spec, file, {{other.get(), gigabytes << 30, 400e9}, {processor.get(), uint64_t(64) << 30, 40e9}}, {});
            QVERIFY2(split.ok(), split.sentence().c_str());
            const auto& plan = split->plan;
            QVERIFY(plan.fit != MemoryPlan::Fit::WillNotFit);
            QVERIFY(plan.devices.at(0).totalBytes <= gigabytes << 30);
            QVERIFY(plan.devices.at(0).layers >= before);
            QCOMPARE(plan.devices.at(0).layers + plan.devices.at(1).layers, 32u);
            before = plan.devices.at(0).layers;
            QVERIFY(plan.tokensPerSecond > 2 && plan.tokensPerSecond < 30);
        }
        QCOMPARE(before, 32u);
        const auto split = planSplit(*spec, file, {{other.get(), uint64_t(8) << 30, 400e9}, {processor.get(), uint64_t(64) << 30, 40e9}}, {});
        const QString words = QString::fromStdString(splitSentence(split->plan));
        QVERIFY2(words.contains("of 32 layers run on") && words.contains("the others on the processor: about"), qPrintable(words));
    }

    void layersAreDividedOverSeveralDevices() {
        const GgufFile file = ModelHead(kLlama8).file();
        const auto spec = readSpec(file);
        const auto first = openCpu(1, true), second = openCpu(1, true), processor = openCpu(1, true);
        const auto split = planSplit(*spec, file, {{first.get(), uint64_t(12) << 30, {}}, {second.get(), uint64_t(6) << 30, {}}, {processor.get(), uint64_t(64) << 30, {}}}, {});
        QVERIFY2(split.ok(), split.sentence().c_str());
        const auto& devices = split->plan.devices;
        QVERIFY(devices[0].layers > devices[1].layers && devices[1].layers > 0);
        QVERIFY(std::is_sorted(split->placement.mixers.begin() + devices[2].layers, split->placement.mixers.end()));
        QCOMPARE(split->plan.tokensPerSecond, 0.0); // nothing is known of their speed
    }

    void whatFitsNowhereIsRefused() {
        const GgufFile file = ModelHead(kLlama8).file();
        const auto spec = readSpec(file);
        const auto first = openCpu(1, true), processor = openCpu(1, true);
        const auto split = planSplit(*spec, file, {{first.get(), uint64_t(4) << 30, {}}, {processor.get(), uint64_t(4) << 30, {}}}, {});
        QVERIFY2(split.ok(), split.sentence().c_str());
        QVERIFY(split->plan.fit == MemoryPlan::Fit::WillNotFit);
        QVERIFY(split->plan.missingBytes > 0);
    }

    // The experts leave a device before its layers do.
    void expertsGoToTheProcessorFirst() {
        const TinyFile tiny = openTiny("qwen3moe-moe");
        const auto device = openCpu(1, true), processor = openCpu(1, true);
        PlanOptions options;
        const auto whole = planSplit(tiny.spec, tiny.file, {{device.get(), uint64_t(1) << 30, {}}, {processor.get(), uint64_t(1) << 30, {}}}, options);
        QVERIFY2(whole.ok(), whole.sentence().c_str());
        QCOMPARE(whole->plan.devices.at(1).layers + whole->plan.devices.at(1).expertLayers, 0u);
        const uint64_t less = whole->plan.devices.at(0).totalBytes - 1;
        const auto split = planSplit(tiny.spec, tiny.file, {{device.get(), less, {}}, {processor.get(), uint64_t(1) << 30, {}}}, options);
        QVERIFY2(split.ok(), split.sentence().c_str());
        QVERIFY(split->plan.fit != MemoryPlan::Fit::WillNotFit);
        QCOMPARE(split->plan.devices.at(0).layers, static_cast<uint32_t>(tiny.spec.layers.size()));
        QCOMPARE(split->plan.devices.at(1).expertLayers, 1u);
    }

    // Chats go on, branch and lose their place as on one device.
    void conversationsOfADividedModel_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("model");
        for (const char* device : {"vulkan", "emulated"})
            for (const char* model : {"llama-dense", "qwen35-dense", "gemma3-dense"}) QTest::newRow(qPrintable(QString("%1 on %2").arg(model, device))) << QString(device) << QString(model);
    }

    void conversationsOfADividedModel() {
        QFETCH(QString, device);
        QFETCH(QString, model);
        if (deviceMissing(device.toStdString())) QSKIP("the device is not there");
        LoadedEngine engine;
        LoadRequest load;
        load.path = kFolder + model.toStdString() + ".gguf";
        load.device = device.toStdString();
        load.gpuLayers = 1;
        load.kvTypeK = load.kvTypeV = TensorType::F32;
        load.contextLength = 192;
        QCOMPARE(engine.load(load), std::string());
        QCOMPARE(engine.engine.snapshot()->devices.size(), size_t(2));
        QVERIFY(QString::fromStdString(engine.facts.deviceId).endsWith(",cpu"));
        const auto answer = [&](uint64_t chat, int seed, int length) {
            std::vector<int32_t> ids;
            for (int i = 0; i < length; ++i) ids.push_back((i * 31 + (i < 20 ? 5 : seed)) % 127);
            auto request = engine.request(idsPrompt(ids), 12);
            request.chat = chat;
            return engine.generate(request);
        };
        const auto fresh = answer(0, 7, 60), first = answer(1, 7, 60), again = answer(1, 7, 60);
        QCOMPARE(first.ids, fresh.ids);
        QCOMPARE(again.ids, fresh.ids);
        QVERIFY(again.end.statistics.reusedTokens > 0);
        for (uint64_t chat = 2; chat < 8; ++chat) answer(chat, int(chat) * 3, 100); // more than the cache holds
        QCOMPARE(answer(1, 7, 60).ids, fresh.ids);
        const auto devices = engine.engine.snapshot()->devices;
        QVERIFY(devices[0].use.weightsBytes > 0 && devices[1].use.weightsBytes > 0);
        QVERIFY(devices[0].use.kvCachedBytes + devices[0].use.kvUsedBytes > 0 && devices[1].use.kvCachedBytes + devices[1].use.kvUsedBytes > 0);
    }

    // The limit of a device divides a model, and what was said is what is taken on each.
    void aLimitDividesTheModel() {
        LoadRequest load;
        load.path = kFolder + "llama-dense.gguf";
        load.device = "emulated";
        if (deviceMissing(load.device)) QSKIP("the device is not there");
        const auto whole = Engine::plan(load);
        QVERIFY2(whole.ok(), whole.sentence().c_str());
        load.memoryLimitBytes = whole->totalBytes - 1;
        const auto plan = Engine::plan(load);
        QVERIFY2(plan.ok(), plan.sentence().c_str());
        QCOMPARE(plan->devices.size(), size_t(2));
        LoadedEngine engine;
        QCOMPARE(engine.load(load), std::string());
        const auto devices = engine.engine.snapshot()->devices;
        for (size_t number = 0; number < 2; ++number) QCOMPARE(devices[number].use.totalBytes(), plan->devices[number].totalBytes);
        QVERIFY(devices[0].use.totalBytes() <= load.memoryLimitBytes);
    }

    void M04_aCardWithoutRoomLeavesTheProcessor() {
        for (const char* device : {"emulated", "vulkan"}) {
            if (deviceMissing(device)) continue;
            LoadRequest load;
            load.path = kFolder + "llama-dense.gguf";
            load.device = device;
            load.memoryLimitBytes = 1;
            LoadedEngine engine;
            QCOMPARE(engine.load(load), std::string());
            QVERIFY(QString::fromStdString(engine.facts.deviceId).endsWith("cpu")); // Vulkan's first piece of memory may hold a tiny layer
            QVERIFY(engine.generate(engine.request(idsPrompt({1, 2, 3}), 4)).end.reason == StopReason::TokenLimit);
            load.memoryLimitBytes = 0;
            load.gpuLayers = 0;
            QCOMPARE(engine.load(load), std::string());
            QCOMPARE(engine.facts.deviceId, std::string("cpu"));
        }
    }
};

QTEST_GUILESS_MAIN(TestSplitModel)
#include "test_split_model.moc"
