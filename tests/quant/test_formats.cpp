// All tensor formats: decoding equals the reference data, and dot products equal the decoded values.
#include "kernels/quant/formats.h"
#include "tests/ops/compare.h"

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
};

void TestFormats::decodingEqualsReference() {
    QFETCH(uint32_t, type);
    const QString folder = dataFolder();
    QVERIFY2(!folder.isEmpty(), "the reference data is missing: tests/data/quantization");
    QString name = QString::fromLatin1(info(static_cast<TensorType>(type)).name.data()).toLower();
    if (name.endsWith("_k")) name = name.chopped(1) + "K";
    const QByteArray bytes = fileBytes(folder + "/" + name + ".bin"), decoded = fileBytes(folder + "/" + name + ".f32");
    const uint32_t count = static_cast<uint32_t>(decoded.size() / 4);
    QVERIFY(count > 0);
    QCOMPARE(static_cast<uint64_t>(bytes.size()), kernels::rowBytes(type, count));
    std::vector<float> right(count), values(count);
    std::memcpy(right.data(), decoded.data(), decoded.size());
    kernels::decodeRow(type, reinterpret_cast<const uint8_t*>(bytes.data()), count, values.data());
    for (uint32_t i = 0; i < count; ++i) {
        const float allowed = 1e-6f * std::fabs(right[i]) + 1e-12f;
        QVERIFY2(std::fabs(values[i] - right[i]) <= allowed, qPrintable(QString("value %1: %2, not %3").arg(i).arg(values[i]).arg(right[i])));
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
