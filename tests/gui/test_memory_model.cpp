// The gauges say what the engine's snapshot says, and before a load what the plan says.

#include "gui/memory/memory_model.h"
#include "gui/store/model_list.h"
#include "tests/gui/fake_engine.h"

#include <QSignalSpy>
#include <QTest>

using namespace steelyard;

namespace {

constexpr uint64_t kGiB = uint64_t(1) << 30;

ModelEntry entryOf(const QString& path, const QString& name, const QString& quantization, qint64 sizeBytes) {
    ModelEntry entry;
    entry.path = path;
    entry.name = name;
    entry.quantization = quantization;
    entry.sizeBytes = sizeBytes;
    return entry;
}

Snapshot snapshotOf(uint64_t weights) {
    DeviceSnapshot device;
    device.id = "cuda:0";
    device.name = "Card";
    device.totalBytes = 8 * kGiB;
    device.freeBytes = 3 * kGiB;
    device.use.weightsBytes = weights;
    device.use.kvUsedBytes = 5;
    device.use.kvCachedBytes = 6;
    device.use.kvReservedBytes = 7;
    device.use.computeBytes = 8;
    device.use.draftBytes = 9;
    Snapshot snapshot;
    snapshot.devices = {device};
    return snapshot;
}

} // namespace

class TestMemoryModel : public QObject {
    Q_OBJECT

private slots:
    void init() { m_script = {}; }
    void gaugesEqualTheSnapshot();
    void unknownIsNotZero();
    void predictsAChosenModel_data();
    void predictsAChosenModel();
    void eachKindOfCacheSaysHowItGrows();
    void offersWhatHelps();
    void keepsTheLastMinute();
    void saysWhenMeasuredAndPredictedDiffer();

private:
    EngineFactory planning(const MemoryPlan& plan) {
        m_script.plan = [plan](const LoadRequest&) { return plan; };
        return FakeEngine::factory(m_script);
    }

    FakeEngine::Script m_script;
};

void TestMemoryModel::gaugesEqualTheSnapshot() {
    EngineClient client(FakeEngine::factory(m_script));
    MemoryModel memory(&client);
    m_script.engine->setSnapshot(snapshotOf(2 * kGiB));
    QTRY_COMPARE(memory.deviceList().size(), 1);
    const DeviceGauge& gauge = *memory.deviceList().constFirst();
    QCOMPARE(gauge.name, QString("Card"));
    QCOMPARE(gauge.totalBytes, double(8 * kGiB));
    QCOMPARE(gauge.freeBytes, double(3 * kGiB));
    QCOMPARE(gauge.weightsBytes, double(2 * kGiB));
    QCOMPARE(gauge.kvUsedBytes, 5.0);
    QCOMPARE(gauge.kvCachedBytes, 6.0);
    QCOMPARE(gauge.kvReservedBytes, 7.0);
    QCOMPARE(gauge.computeBytes, 8.0);
    QCOMPARE(gauge.draftBytes, 9.0);
    // The same device keeps its gauge, so that the bar moves instead of being built anew.
    m_script.engine->setSnapshot(snapshotOf(kGiB));
    QTRY_COMPARE(gauge.weightsBytes, double(kGiB));
    QCOMPARE(memory.deviceList().constFirst(), &gauge);
}

void TestMemoryModel::unknownIsNotZero() {
    EngineClient client(FakeEngine::factory(m_script));
    MemoryModel memory(&client);
    m_script.engine->setSnapshot(snapshotOf(1));
    QTRY_COMPARE(memory.deviceList().size(), 1);
    QCOMPARE(memory.deviceList().constFirst()->otherBytes, -1.0);
    QCOMPARE(memory.bytesText(-1), QString("unknown"));
}

void TestMemoryModel::predictsAChosenModel_data() {
    QTest::addColumn<int>("fit");
    QTest::addColumn<QString>("words");
    QTest::newRow("fits") << int(MemoryPlan::Fit::Fits) << "fits";
    QTest::newRow("tight") << int(MemoryPlan::Fit::Tight) << "tight";
    QTest::newRow("will not fit") << int(MemoryPlan::Fit::WillNotFit) << "will not fit";
}

void TestMemoryModel::predictsAChosenModel() {
    QFETCH(int, fit);
    QFETCH(QString, words);
    MemoryPlan plan;
    plan.deviceId = "cuda:0";
    plan.weightsBytes = 100;
    plan.kvBytes = 50;
    plan.computeBytes = 10;
    plan.totalBytes = 160;
    plan.fit = MemoryPlan::Fit(fit);
    plan.missingBytes = 1'800'000'000;
    EngineClient client(planning(plan));
    MemoryModel memory(&client);
    QCOMPARE(memory.prediction(), MemoryModel::Prediction::None);
    LoadOptions options;
    options.path = "/models/a.gguf";
    memory.choose(options);
    QTRY_VERIFY(memory.predictionText().startsWith(words));
    QCOMPARE(memory.predictedWeightsBytes(), 100.0);
    QCOMPARE(memory.predictedKvBytes(), 50.0);
    QCOMPARE(memory.predictionDevice(), QString("cuda:0"));
    // The load takes the prediction's place; the unload brings it back.
    client.load(options);
    QTRY_COMPARE(memory.prediction(), MemoryModel::Prediction::None);
    client.unload();
    QTRY_VERIFY(memory.predictionText().startsWith(words));
    memory.choose({});
    QCOMPARE(memory.prediction(), MemoryModel::Prediction::None);
}

// Caches grow with the chat, or up to a window, or not at all; the rows stay after the load.
void TestMemoryModel::eachKindOfCacheSaysHowItGrows() {
    MemoryPlan plan;
    plan.deviceId = "cuda:0";
    plan.fit = MemoryPlan::Fit::Fits;
    plan.kinds = {{"full", 2048, 0}, {"window", 1024, 65536}, {"latent", 1152, 0}, {"compressed", 288, 0}, {"recurrent", 0, 786432}};
    EngineClient client(planning(plan));
    MemoryModel memory(&client);
    LoadOptions options;
    options.path = "/models/a.gguf";
    memory.choose(options);
    QTRY_COMPARE(memory.prediction(), MemoryModel::Prediction::Fits);
    const QStringList wanted{"KV cache per token: 2,048 bytes ", "KV cache of windowed layers: 65,536 bytes at most; 1,024 bytes per token",
                             "Latent cache per token: 1,152 bytes in place of keys and values", "Compressed cache per token: 288 bytes in place of keys and values",
                             "State of recurrent layers: 786,432 bytes the same at any length"};
    const auto shown = [&] {
        QStringList rows;
        for (const QVariant& row : memory.ledger()) {
            const QVariantMap map = row.toMap();
            const QString text = map["title"].toString() + ": " + map["value"].toString() + " " + map["note"].toString();
            if (wanted.contains(text)) rows << text;
        }
        return rows;
    };
    QCOMPARE(shown(), wanted);
    client.load(options);
    QTRY_VERIFY(client.facts().has_value());
    QTRY_COMPARE(shown(), wanted);
}

// The chosen file does not fit on the card, where another model is loaded.
void TestMemoryModel::offersWhatHelps() {
    m_script.plan = [](const LoadRequest& request) {
        MemoryPlan plan;
        plan.deviceId = request.device == "auto" ? "cuda:0" : request.device;
        plan.contextLength = request.contextLength > 0 ? request.contextLength : 32768;
        plan.contextLimit = 9000;
        plan.missingBytes = kGiB;
        const bool helps = plan.contextLength < 9000 || request.kvTypeK == TensorType::Q8_0 || request.path == "/models/a.q4.gguf" || request.device == "cpu";
        plan.fit = helps ? MemoryPlan::Fit::Fits : MemoryPlan::Fit::WillNotFit;
        return plan;
    };
    ModelList models;
    models.put(entryOf("/models/a.gguf", "A", "Q8_0", 900));
    models.put(entryOf("/models/a.q4.gguf", "A", "Q4_0", 500));
    models.put(entryOf("/models/b.gguf", "B", "Q4_0", 700));
    DeviceInfo card, processor, software;
    card.id = "cuda:0";
    processor.id = "cpu";
    processor.name = "Processor";
    software.id = "vulkan:0";
    software.software = true;
    m_script.devices = {card, processor, software};
    EngineClient client(FakeEngine::factory(m_script));
    MemoryModel memory(&client, &models);
    LoadOptions options;
    options.path = "/models/b.gguf";
    client.load(options);
    QTRY_VERIFY(client.facts().has_value());
    m_script.engine->setSnapshot(snapshotOf(2 * kGiB));
    QTRY_COMPARE(memory.deviceList().size(), 1);
    options.path = "/models/a.gguf";
    memory.choose(options);
    QTRY_COMPARE(memory.remedies().size(), 5);
    const auto row = [&](int at, const char* key) { return memory.remedies().at(at).toMap().value(QLatin1String(key)).toString(); };
    QCOMPARE(row(0, "kind"), QString("context"));
    QCOMPARE(row(0, "value"), QString("8960"));
    QCOMPARE(row(0, "outcome"), QString("fits"));
    QCOMPARE(row(1, "kind"), QString("cache"));
    QCOMPARE(row(1, "value"), QString("q8_0"));
    QCOMPARE(row(2, "kind"), QString("unload"));
    QCOMPARE(row(2, "text"), QString("Unload B · Q4_0"));
    QCOMPARE(row(2, "outcome"), QString("fits")); // it takes more than is missing
    QCOMPARE(row(3, "kind"), QString("model"));
    QCOMPARE(row(3, "value"), QString("/models/a.q4.gguf"));
    QCOMPARE(row(4, "kind"), QString("device"));
    QCOMPARE(row(4, "value"), QString("cpu")); // no software device, and not the one that is too small
    memory.choose({});
    QVERIFY(memory.remedies().isEmpty());
}

void TestMemoryModel::keepsTheLastMinute() {
    EngineClient client(FakeEngine::factory(m_script));
    MemoryModel memory(&client);
    m_script.engine->setSnapshot(snapshotOf(100));
    QTRY_COMPARE(memory.deviceList().size(), 1);
    m_script.engine->setSnapshot(snapshotOf(200));
    const DeviceGauge& gauge = *memory.deviceList().constFirst();
    QTRY_COMPARE(gauge.ownBytes, 235.0); // the cache and the buffers with it
    QCOMPARE(gauge.history.constFirst(), 135.0);
    QCOMPARE(gauge.history.constLast(), 235.0);
    DeviceSnapshot device = snapshotOf(1).devices.front();
    DeviceGauge filled;
    for (int i = 0; i < 2 * kHistoryLength; ++i) filled.read(device);
    QCOMPARE(filled.history.size(), qsizetype(kHistoryLength));
}

void TestMemoryModel::saysWhenMeasuredAndPredictedDiffer() {
    MemoryPlan plan;
    plan.deviceId = "cuda:0";
    plan.totalBytes = 2 * kGiB;
    plan.fit = MemoryPlan::Fit::Fits;
    EngineClient client(planning(plan));
    MemoryModel memory(&client);
    LoadOptions options;
    options.path = "/models/a.gguf";
    memory.choose(options);
    QTRY_COMPARE(memory.prediction(), MemoryModel::Prediction::Fits);
    client.load(options);
    QTRY_VERIFY(client.facts().has_value());
    m_script.engine->setSnapshot(snapshotOf(2 * kGiB));
    QTRY_COMPARE(memory.deviceList().size(), 1);
    QCOMPARE(memory.differenceText(), QString());
    m_script.engine->setSnapshot(snapshotOf(3 * kGiB));
    QTRY_VERIFY(!memory.differenceText().isEmpty());
}

QTEST_GUILESS_MAIN(TestMemoryModel)
#include "test_memory_model.moc"
