// Every op on every device against its scalar definition: rows of device x op x shape x type.
#include "tests/ops/op_case.h"
#include "tests/ops/test_devices.h"

#include <QtTest>

using namespace steelyard;
using namespace steelyard::tests;

class TestOps : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void opEqualsScalarDefinition_data();
    void opEqualsScalarDefinition();
    void recordingRunsAgainWithNewContents_data();
    void recordingRunsAgainWithNewContents();

private:
    std::vector<OpCase> m_cases;
    TestDevices m_devices;
};

void TestOps::initTestCase() {
    for (auto make : {productCases, attentionCases, expertCases, stateCases, compressedCases, rowCases})
        for (auto& row : make()) m_cases.push_back(std::move(row));
}

void TestOps::opEqualsScalarDefinition_data() {
    QTest::addColumn<QString>("deviceName");
    QTest::addColumn<int>("index");
    // A card's launches differ from those of the software device in sizes, the same for all formats: three of them serve.
    const auto isOfCards = [](const OpCase& row) {
        return !row.type || *row.type == TensorType::F16 || *row.type == TensorType::Q4_K || *row.type == TensorType::Q5_1;
    };
    for (const QString& name : testDeviceNames())
        for (size_t i = 0; i < m_cases.size(); ++i) {
            if (name == kVulkanAsCard && !isOfCards(m_cases[i])) continue;
            QTest::newRow(qPrintable(name + ": " + QString::fromStdString(m_cases[i].name))) << name << static_cast<int>(i);
        }
}

void TestOps::opEqualsScalarDefinition() {
    QFETCH(QString, deviceName);
    QFETCH(int, index);
    const OpCase& row = m_cases[static_cast<size_t>(index)];
    QString reason;
    Device* device = m_devices.open(deviceName, reason);
    if (!device && devicesAreRequired(deviceName)) QFAIL(qPrintable(reason));
    if (!device) QSKIP(qPrintable(reason));
    const bool emulated = device->info().kind == DeviceKind::Emulated;
    if (emulated && row.large) QSKIP("too large for the emulator");
    const QString unsupported = QString::fromStdString(device->unsupported(row.op, row.type));
    if (!unsupported.isEmpty() && !emulated && devicesAreRequired(deviceName)) QFAIL(qPrintable(unsupported));
    if (!unsupported.isEmpty()) QSKIP(qPrintable(unsupported));
    const QString problem = QString::fromStdString(row.run(*device));
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void TestOps::recordingRunsAgainWithNewContents_data() {
    QTest::addColumn<QString>("deviceName");
    for (const QString& name : testDeviceNames()) QTest::newRow(qPrintable(name)) << name;
}

// A chain of dependent ops, recorded once: y = x + x, then y = y + x, replayed after x was rewritten.
void TestOps::recordingRunsAgainWithNewContents() {
    QFETCH(QString, deviceName);
    QString reason;
    Device* device = m_devices.open(deviceName, reason);
    if (!device && devicesAreRequired(deviceName)) QFAIL(qPrintable(reason));
    if (!device) QSKIP(qPrintable(reason));
    constexpr uint32_t kRows = 4, kColumns = 300;
    std::vector<float> x(kRows * kColumns), y(x.size());
    const auto bytes = [](std::vector<float>& values) {
        return std::span<uint8_t>(reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(float));
    };
    auto deviceX = device->allocate(bytes(x).size()), deviceY = device->allocate(bytes(x).size());
    QVERIFY2(deviceX && deviceY, "no memory");
    const uint64_t a = deviceX->address(), b = deviceY->address();
    const auto recording = device->record([&] {
        device->run(ops::sumOf(a, a, b, kRows, kColumns));
        device->run(ops::sumOf(b, a, b, kRows, kColumns));
    });
    QVERIFY(recording);
    for (float factor : {1.0f, -2.5f}) {
        for (size_t i = 0; i < x.size(); ++i) x[i] = factor * static_cast<float>(i);
        device->write(*deviceX, 0, bytes(x));
        device->replay(*recording);
        const auto read = device->read(*deviceY, 0, bytes(y));
        QVERIFY2(read.ok(), qPrintable(QString::fromStdString(read.sentence())));
        for (size_t i = 0; i < x.size(); ++i) QCOMPARE(y[i], 3.0f * x[i]);
    }
    QVERIFY(device->synchronize().ok());
}

QTEST_GUILESS_MAIN(TestOps)
#include "test_ops.moc"
