// All tensor formats: decoding equals the reference data, and dot products equal the decoded values.
#include "kernels/quant/formats.h"
#include "tests/ops/op_case.h"
#include "tests/ops/test_devices.h"

#include <QDir>
#include <QFile>
#include <QtTest>

#include <cmath>
#include <cstring>

using namespace steelyard;
using namespace steelyard::tests;

namespace {

// The folder of the reference data: the tree's own copy, else the shared one.
QString dataFolder() {
    for (const QString& folder : {QString(STEELYARD_TEST_DATA "/quantization"), qEnvironmentVariable("STEELYARD_CONFORMANCE") + "/quantization",
                                  QString(STEELYARD_SHARED_CONFORMANCE "/quantization")})
        if (QDir(folder).exists()) return folder;
    return {};
}

QByteArray fileBytes(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestFormats : public QObject {
    Q_OBJECT

private slots:
    void decodingEqualsReference_data() { addRows(); }
    void decodingEqualsReference();
    void devicesDecodeTheReference_data();
    void devicesDecodeTheReference();
    void dotProductsEqualDecodedValues_data() { addRows(); }
    void dotProductsEqualDecodedValues();
    void blockSizesEqualTheTypeTable_data() { addRows(); }
    void blockSizesEqualTheTypeTable();

private:
    static void addRows() {
        QTest::addColumn<uint32_t>("type");
        kernels::AllFormats::forEach([]<class Format>() {
            QTest::newRow(info(static_cast<TensorType>(Format::typeId)).name.data()) << Format::typeId;
        });
    }

    TestDevices m_devices;
};

// The reference of a type: encoded bytes and what they stand for, 1024 values.
struct Reference {
    std::vector<uint8_t> bytes;
    std::vector<float> values;
};

static Reference referenceOf(uint32_t type) {
    QString name = QString::fromLatin1(info(static_cast<TensorType>(type)).name.data()).toLower();
    if (name.startsWith('q') && name.endsWith("_k")) name = name.chopped(1) + "K";
    const QByteArray bytes = fileBytes(dataFolder() + "/" + name + ".bin"), decoded = fileBytes(dataFolder() + "/" + name + ".f32");
    Reference reference{{bytes.begin(), bytes.end()}, std::vector<float>(static_cast<size_t>(decoded.size()) / 4)};
    std::memcpy(reference.values.data(), decoded.data(), reference.values.size() * 4);
    return reference;
}

// What differs by more than 1e-6 of the value, or nothing.
static QString difference(const std::vector<float>& values, const std::vector<float>& right) {
    for (size_t i = 0; i < right.size(); ++i)
        if (!(std::fabs(values[i] - right[i]) <= 1e-6f * std::fabs(right[i]) + 1e-12f))
            return QString("value %1: %2, not %3").arg(i).arg(values[i]).arg(right[i]);
    return {};
}

void TestFormats::decodingEqualsReference() {
    QFETCH(uint32_t, type);
    QVERIFY2(!dataFolder().isEmpty(), "the reference data is missing: tests/data/quantization");
    const Reference reference = referenceOf(type);
    const auto count = static_cast<uint32_t>(reference.values.size());
    QVERIFY(count > 0);
    QCOMPARE(static_cast<uint64_t>(reference.bytes.size()), kernels::rowBytes(type, count));
    std::vector<float> values(count);
    kernels::decodeRow(type, reference.bytes.data(), count, values.data());
    const QString problem = difference(values, reference.values);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void TestFormats::devicesDecodeTheReference_data() {
    QTest::addColumn<QString>("deviceName");
    QTest::addColumn<uint32_t>("type");
    for (const QString name : {"cpu", "vulkan", "emulated"})
        kernels::AllFormats::forEach([&]<class Format>() {
            QTest::newRow(qPrintable(name + " " + info(static_cast<TensorType>(Format::typeId)).name.data())) << name << Format::typeId;
        });
}

// Row lookup in the file's order and in the device's own.
void TestFormats::devicesDecodeTheReference() {
    QFETCH(QString, deviceName);
    QFETCH(uint32_t, type);
    QString reason;
    Device* device = m_devices.open(deviceName, reason);
    if (!device && devicesAreRequired(deviceName)) QFAIL(qPrintable(reason));
    if (!device) QSKIP(qPrintable(reason));
    const auto tensorType = static_cast<TensorType>(type);
    QCOMPARE(device->unsupported(ops::opId<ops::GetRows>, tensorType), std::string());
    const Reference reference = referenceOf(type);
    constexpr uint32_t kRows = 2, kColumns = 512;
    QCOMPARE(reference.values.size(), size_t(kRows) * kColumns);
    for (const uint32_t layout : {0u, device->tableLayout(tensorType, kRows, kColumns).layout}) {
        const auto bytes = packedWeight(*device, tensorType, layout, reference.bytes, kRows, kColumns);
        const std::vector<int32_t> ids{0, 1};
        auto table = device->allocate(bytes.size()), indexes = device->allocate(kRows * 4), y = device->allocate(kRows * kColumns * 4);
        QVERIFY(table && indexes && y);
        device->write(*table, 0, bytes);
        device->write(*indexes, 0, {reinterpret_cast<const uint8_t*>(ids.data()), kRows * 4});
        device->run(ops::GetRows{table->address(), indexes->address(), y->address(), kRows, kColumns, kRows, type, 1.0f, layout});
        std::vector<float> values(kRows * kColumns);
        const auto read = device->read(*y, 0, {reinterpret_cast<uint8_t*>(values.data()), values.size() * 4});
        QVERIFY2(read.ok(), qPrintable(QString::fromStdString(read.sentence())));
        const QString problem = difference(values, reference.values);
        QVERIFY2(problem.isEmpty(), qPrintable(QString("layout %1: ").arg(layout) + problem));
    }
}

void TestFormats::dotProductsEqualDecodedValues() {
    QFETCH(uint32_t, type);
    constexpr uint32_t kColumns = 1024;
    Random random(type);
    const auto row = randomWeight(static_cast<TensorType>(type), 1, kColumns, random);
    std::vector<float> decoded(kColumns), scales(kColumns / 32), sums(kColumns / 32);
    std::vector<int8_t> codes(kColumns);
    kernels::decodeRow(type, row.data(), kColumns, decoded.data());
    const auto x = random.normals(kColumns);
    for (uint32_t block = 0; block < kColumns / 32; ++block) {
        scales[block] = random.uniform(0.01f, 0.1f);
        int sum = 0;
        for (uint32_t i = 0; i < 32; ++i) sum += codes[block * 32 + i] = static_cast<int8_t>(random.below(255)) ;
        sums[block] = scales[block] * static_cast<float>(sum);
    }
    double floats = 0.0, integers = 0.0, size = 0.0;
    for (uint32_t i = 0; i < kColumns; ++i) {
        floats += double(decoded[i]) * x[i];
        integers += double(decoded[i]) * codes[i] * scales[i / 32];
        size += std::fabs(double(decoded[i]) * codes[i] * scales[i / 32]);
    }
    QVERIFY(std::fabs(kernels::dotFloat(type, row.data(), x.data(), kColumns) - floats) <= 1e-6 * size);
    QVERIFY(std::fabs(kernels::dotInt8(type, row.data(), codes.data(), scales.data(), sums.data(), kColumns) - integers) <= 1e-6 * size);
}

void TestFormats::blockSizesEqualTheTypeTable() {
    QFETCH(uint32_t, type);
    const auto& row = info(static_cast<TensorType>(type));
    QCOMPARE(kernels::rowBytes(type, row.blockValues * 3), uint64_t(row.blockBytes) * 3);
}

QTEST_GUILESS_MAIN(TestFormats)
#include "test_formats.moc"
