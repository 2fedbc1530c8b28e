// The gauges say what the engine's snapshot says, and before a load what the plan says.

#include "gui/memory/memory_model.h"
#include "tests/gui/fake_engine.h"

#include <QSignalSpy>
#include <QTest>

using namespace steelyard;

namespace {

constexpr uint64_t kGiB = uint64_t(1) << 30;

// The fake engine with a plan of the test's choice.
class PlanningEngine : public FakeEngine {
public:
    PlanningEngine(Script& script, std::function<void()> wake, const MemoryPlan& plan) : FakeEngine(script, std::move(wake)), m_plan(plan) {}
    Result<MemoryPlan> plan(const LoadRequest&) const override { return m_plan; }

private:
    MemoryPlan m_plan;
};

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
    Snapshot snapshot;
    snapshot.devices = {device};
    return snapshot;
}

} // namespace

class TestMemoryModel : public QObject {
    Q_OBJECT

private slots:
    void gaugesEqualTheSnapshot();
    void unknownIsNotZero();
    void predictsAChosenModel_data();
    void predictsAChosenModel();
    void offersTheContextThatFits();
    void saysWhenMeasuredAndPredictedDiffer();

private:
    EngineFactory planning(const MemoryPlan& plan) {
        return [this, plan](std::function<void()> wake) { return std::make_unique<PlanningEngine>(m_script, std::move(wake), plan); };
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

void TestMemoryModel::offersTheContextThatFits() {
    MemoryPlan plan;
    plan.fit = MemoryPlan::Fit::WillNotFit;
    plan.contextLength = 32768;
    plan.contextLimit = 9000;
    EngineClient client(planning(plan));
    MemoryModel memory(&client);
    LoadOptions options;
    options.path = "/models/a.gguf";
    memory.choose(options);
    QTRY_COMPARE(memory.contextRemedy(), 8960);
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
