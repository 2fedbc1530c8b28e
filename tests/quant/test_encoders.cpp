// Encoders: the bytes of the reference where it is exact, whatever the cut, and what they say they can hold.
#include "engine/quant/encoders.h"
#include "kernels/quant/formats.h"

#include <QFile>
#include <QtTest>

#include <cmath>
#include <cstring>
#include <vector>

using namespace steelyard;

namespace {

QByteArray dataOf(const QString& name) {
    QFile file(QString(STEELYARD_TEST_DATA "/quantization/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<float> sourceValues() {
    const QByteArray bytes = dataOf("source.f32");
    std::vector<float> values(static_cast<size_t>(bytes.size()) / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

std::vector<uint8_t> encoded(TensorType type, const std::vector<float>& values) {
    std::vector<uint8_t> bytes(tensorBytes(type, values.size()).value());
    encoderOf(type)->encode(values.data(), nullptr, values.size(), bytes.data());
    return bytes;
}

std::vector<float> decoded(TensorType type, const std::vector<uint8_t>& bytes, size_t count) {
    std::vector<float> values(count);
    kernels::decodeRow(static_cast<uint32_t>(type), bytes.data(), static_cast<uint32_t>(count), values.data());
    return values;
}

} // namespace

class TestEncoders : public QObject {
    Q_OBJECT

private slots:
    void bytesEqualTheReference_data() { addRows(); }
    void bytesEqualTheReference();
    void anyCutAtBlocksGivesTheSameBytes_data() { addRows(); }
    void anyCutAtBlocksGivesTheSameBytes();
    void theLargestValueComesBack_data() { addRows(); }
    void theLargestValueComesBack();
    void zerosAndTheSmallestValuesAreDefined();
    void halvesOfACodeAreRoundedAwayFromZero();

private:
    static void addRows() {
        QTest::addColumn<uint32_t>("type");
        for (const auto& row : tensorTypes())
            if (encoderOf(row.type)) QTest::newRow(row.name.data()) << static_cast<uint32_t>(row.type);
    }
};

void TestEncoders::bytesEqualTheReference() {
    QFETCH(uint32_t, type);
    const auto values = sourceValues();
    QCOMPARE(values.size(), size_t(1024));
    const auto bytes = encoded(static_cast<TensorType>(type), values);
    const QByteArray right = dataOf(QString::fromLatin1(info(static_cast<TensorType>(type)).name.data()).toLower() + ".bin");
    QCOMPARE(QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())), right);
}

void TestEncoders::anyCutAtBlocksGivesTheSameBytes() {
    QFETCH(uint32_t, type);
    const auto& row = info(static_cast<TensorType>(type));
    const auto values = sourceValues();
    const auto whole = encoded(row.type, values);
    std::vector<uint8_t> cut(whole.size());
    uint8_t* target = cut.data();
    for (size_t first = 0; first < values.size(); first += row.blockValues, target += row.blockBytes)
        encoderOf(row.type)->encode(&values[first], nullptr, row.blockValues, target);
    QVERIFY(cut == whole);
}

void TestEncoders::theLargestValueComesBack() {
    QFETCH(uint32_t, type);
    const Encoder& encoder = *encoderOf(static_cast<TensorType>(type));
    std::vector<float> values(info(encoder.type).blockValues, 0.0f);
    for (const float value : {encoder.largest, -encoder.largest}) {
        values[0] = value;
        const auto back = decoded(encoder.type, encoded(encoder.type, values), values.size());
        QVERIFY2(std::isfinite(back[0]) && std::fabs(back[0] - value) <= 1e-3f * encoder.largest, qPrintable(QString::number(back[0])));
    }
}

void TestEncoders::zerosAndTheSmallestValuesAreDefined() {
    for (const float value : {0.0f, -0.0f, 1e-45f, -1e-42f, 1e-38f}) {
        const auto back = decoded(TensorType::Q8_0, encoded(TensorType::Q8_0, std::vector<float>(32, value)), 32);
        for (const float got : back)
            QVERIFY(std::fabs(got) < 1e-6f);
    }
}

void TestEncoders::halvesOfACodeAreRoundedAwayFromZero() {
    std::vector<float> values(32, 0.0f);
    values[0] = 127.0f; // the scale is 1
    values[1] = 2.5f;
    values[2] = -2.5f;
    values[3] = 0.49999997f;
    const auto bytes = encoded(TensorType::Q8_0, values);
    QCOMPARE(static_cast<int8_t>(bytes[2 + 1]), int8_t(3));
    QCOMPARE(static_cast<int8_t>(bytes[2 + 2]), int8_t(-3));
    QCOMPARE(static_cast<int8_t>(bytes[2 + 3]), int8_t(0));
}

QTEST_APPLESS_MAIN(TestEncoders)
#include "test_encoders.moc"
