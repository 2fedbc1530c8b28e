// Encoders: the bytes of the reference where a rule gives them, else an error no larger than the reference's, whatever the cut
// and whatever the processor; and what they say they can hold.
#include "engine/quant/encoders.h"
#include "engine/quant/encoders/vector_encoders.h"
#include "kernels/quant/formats.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

using namespace steelyard;

namespace {

QByteArray dataOf(const QString& name) {
    QFile file(QString(STEELYARD_TEST_DATA "/quantization/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<float> floatsOf(const QString& name) {
    const QByteArray bytes = dataOf(name);
    std::vector<float> values(static_cast<size_t>(bytes.size()) / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

std::vector<uint8_t> encoded(const Encoder& encoder, const std::vector<float>& values, const float* importance = nullptr) {
    std::vector<uint8_t> bytes(tensorBytes(encoder.type, values.size()).value());
    encoder.encode(values.data(), importance, values.size(), bytes.data());
    return bytes;
}

std::vector<uint8_t> encoded(TensorType type, const std::vector<float>& values) { return encoded(*encoderOf(type), values); }

std::vector<float> decoded(TensorType type, const std::vector<uint8_t>& bytes, size_t count) {
    std::vector<float> values(count);
    kernels::decodeRow(static_cast<uint32_t>(type), bytes.data(), static_cast<uint32_t>(count), values.data());
    return values;
}

// The error of rows of 512, as a share of the values' own size; `importance` counts each column.
double errorOf(TensorType type, const std::vector<uint8_t>& bytes, const std::vector<float>& values, const std::vector<float>& importance = {}) {
    const auto back = decoded(type, bytes, values.size());
    double error = 0, size = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        const double weight = importance.empty() ? 1.0 : double(importance[i % importance.size()]);
        error += weight * (double(back[i]) - values[i]) * (double(back[i]) - values[i]);
        size += weight * double(values[i]) * values[i];
    }
    return error / size;
}

// The types whose bytes follow from a rule, without a search.
bool hasRule(TensorType type) {
    switch (type) {
    case TensorType::F32:
    case TensorType::F16:
    case TensorType::BF16:
    case TensorType::Q8_0:
    case TensorType::Q4_0:
    case TensorType::Q4_1:
    case TensorType::Q5_0:
    case TensorType::Q5_1: return true;
    default: return false;
    }
}

// Codes are entries of a grid, beside their signs.
bool isOfGrid(TensorType type) {
    switch (type) {
    case TensorType::IQ2_XXS:
    case TensorType::IQ2_XS:
    case TensorType::IQ2_S:
    case TensorType::IQ3_XXS:
    case TensorType::IQ3_S: return true;
    default: return false;
    }
}

} // namespace

class TestEncoders : public QObject {
    Q_OBJECT

private slots:
    void bytesEqualTheReferenceWhereARuleGivesThem_data() { addRows(hasRule); }
    void bytesEqualTheReferenceWhereARuleGivesThem();
    void theErrorIsNoLargerThanTheReferences_data() { addRows(); }
    void theErrorIsNoLargerThanTheReferences();
    void importanceLowersTheErrorThatCounts_data() {
        addRows([](TensorType type) { return type != TensorType::Q8_0 && info(type).blockValues > 1; });
    }
    void importanceLowersTheErrorThatCounts();
    void importanceOfNothingOrOfOneColumnIsBorne_data() { addRows(); }
    void importanceOfNothingOrOfOneColumnIsBorne();
    void everyInstructionSetGivesTheSameBytes();
    void extremeBlocksStayFinite_data() { addRows(); }
    void extremeBlocksStayFinite();
    void signsOfEveryParityComeBack_data() { addRows(isOfGrid); }
    void signsOfEveryParityComeBack();
    void oneHugeValueLeavesTheOtherGroupsAlone_data() { addRows([](TensorType type) { return info(type).blockValues == 256; }); }
    void oneHugeValueLeavesTheOtherGroupsAlone();
    void anyCutAtBlocksGivesTheSameBytes_data() { addRows(); }
    void anyCutAtBlocksGivesTheSameBytes();
    void theLargestValueComesBack_data() { addRows(); }
    void theLargestValueComesBack();
    void zerosAndTheSmallestValuesAreDefined();
    void halvesOfACodeAreRoundedAwayFromZero();

private:
    static void addRows(bool (*wanted)(TensorType) = [](TensorType) { return true; }) {
        QTest::addColumn<uint32_t>("type");
        for (const auto& row : tensorTypes())
            if (encoderOf(row.type) && wanted(row.type)) QTest::newRow(row.name.data()) << static_cast<uint32_t>(row.type);
    }
};

void TestEncoders::bytesEqualTheReferenceWhereARuleGivesThem() {
    QFETCH(uint32_t, type);
    const auto values = floatsOf("source.f32");
    QCOMPARE(values.size(), size_t(1024));
    const auto bytes = encoded(static_cast<TensorType>(type), values);
    const QByteArray right = dataOf(QString::fromLatin1(info(static_cast<TensorType>(type)).name.data()).toLower() + ".bin");
    QCOMPARE(QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())), right);
}

void TestEncoders::theErrorIsNoLargerThanTheReferences() {
    QFETCH(uint32_t, type);
    const auto tensorType = static_cast<TensorType>(type);
    const auto values = floatsOf("source.f32");
    const auto types = QJsonDocument::fromJson(dataOf("index.json")).object()["types"].toArray();
    const auto row = std::find_if(types.begin(), types.end(), [&](const auto& each) { return uint32_t(each.toObject()["type_id"].toInt()) == type; });
    QVERIFY(row != types.end());
    const auto importance = floatsOf("importance.f32");
    const bool weighted = row->toObject()["importance_used"].toBool();
    std::vector<uint8_t> bytes;
    for (size_t first = 0; first < values.size(); first += 512) {
        const std::vector<float> part(values.begin() + long(first), values.begin() + long(first) + 512);
        const auto more = encoded(*encoderOf(tensorType), part, weighted ? importance.data() : nullptr);
        bytes.insert(bytes.end(), more.begin(), more.end());
    }
    const double error = errorOf(tensorType, bytes, values), reference = row->toObject()["nmse"].toDouble();
    QVERIFY2(error <= 1.02 * reference, qPrintable(QString("%1, the reference %2").arg(error).arg(reference)));
}

void TestEncoders::importanceLowersTheErrorThatCounts() {
    QFETCH(uint32_t, type);
    const Encoder& encoder = *encoderOf(static_cast<TensorType>(type));
    const auto all = floatsOf("source.f32");
    const std::vector<float> values(all.begin(), all.begin() + 512);
    std::vector<float> importance(512, 0.02f);
    for (size_t i = 0; i < importance.size(); i += 5) importance[i] = 30.0f;
    const double without = errorOf(encoder.type, encoded(encoder, values), values, importance);
    const double with = errorOf(encoder.type, encoded(encoder, values, importance.data()), values, importance);
    const double share = encoder.type == TensorType::MXFP4 ? 1.0 : 0.95; // powers of two leave little to choose
    QVERIFY2(with < share * without, qPrintable(QString("%1, without %2").arg(with).arg(without)));
}

void TestEncoders::importanceOfNothingOrOfOneColumnIsBorne() {
    QFETCH(uint32_t, type);
    const Encoder& encoder = *encoderOf(static_cast<TensorType>(type));
    const auto all = floatsOf("source.f32");
    const std::vector<float> values(all.begin(), all.begin() + 512);
    const double even = errorOf(encoder.type, encoded(encoder, values), values);
    for (const float one : {0.0f, 1e-30f, 1e30f}) {
        std::vector<float> importance(512, 0.0f);
        importance[77] = one;
        const double error = errorOf(encoder.type, encoded(encoder, values, importance.data()), values);
        QVERIFY2(error <= 12 * even + 1e-12, qPrintable(QString("%1, without %2").arg(error).arg(even)));
    }
}

void TestEncoders::everyInstructionSetGivesTheSameBytes() {
    auto values = floatsOf("source.f32");
    for (size_t i = 0; i < 256; ++i) values[i] *= 1e-6f; // halves below the normal ones
    std::vector<float> importance(values.size());
    for (size_t i = 0; i < importance.size(); ++i) importance[i] = float(i * 7919 % 101);
    const auto& base = genericEncoders();
    for (const auto* set : availableEncoders()) {
        QCOMPARE(set->encoders.size(), base.encoders.size());
        for (size_t i = 0; i < base.encoders.size(); ++i)
            for (const float* weights : {static_cast<const float*>(nullptr), static_cast<const float*>(importance.data())})
                QVERIFY2(encoded(set->encoders[i], values, weights) == encoded(base.encoders[i], values, weights),
                         qPrintable(QString("%1 %2").arg(set->name.data(), info(base.encoders[i].type).name.data())));
    }
}

// Values that are all one, of one sign, at the ends of what can be held and below what can be told from zero.
void TestEncoders::extremeBlocksStayFinite() {
    QFETCH(uint32_t, type);
    const Encoder& encoder = *encoderOf(static_cast<TensorType>(type));
    for (const float size : {0.0f, 1e-45f, 1e-38f, 1e-9f, 1.0f, encoder.largest})
        for (int shape = 0; shape < 4; ++shape) {
            std::vector<float> values(512, size);
            for (size_t i = 0; i < values.size(); ++i) {
                if (shape == 1) values[i] = -size;
                if (shape == 2) values[i] = i % 2 ? size : -size;
                if (shape == 3) values[i] = size * (float(i % 7) / 6);
            }
            const auto back = decoded(encoder.type, encoded(encoder, values), values.size());
            for (size_t i = 0; i < values.size(); ++i)
                QVERIFY2(std::isfinite(back[i]) && std::fabs(back[i] - values[i]) <= 0.8f * size + 1e-6f,
                         qPrintable(QString("%1 for %2, shape %3").arg(back[i]).arg(values[i]).arg(shape)));
        }
}

// All patterns of eight signs. Where a format keeps seven of them, an odd number of negative ones costs a single sign, that of
// the value that matters least.
void TestEncoders::signsOfEveryParityComeBack() {
    QFETCH(uint32_t, type);
    const auto tensorType = static_cast<TensorType>(type);
    const bool seven = tensorType != TensorType::IQ2_S && tensorType != TensorType::IQ3_S;
    std::vector<float> values(256 * 8);
    for (uint32_t pattern = 0; pattern < 256; ++pattern)
        for (uint32_t i = 0; i < 8; ++i) values[pattern * 8 + i] = (pattern >> i & 1 ? -1.0f : 1.0f) * (i == pattern % 8 ? 0.2f : 1.0f + 0.1f * float(i));
    const auto back = decoded(tensorType, encoded(tensorType, values), values.size());
    for (uint32_t pattern = 0; pattern < 256; ++pattern) {
        const bool odd = std::popcount(pattern) % 2 == 1;
        for (uint32_t i = 0; i < 8; ++i) {
            const bool turned = seven && odd && i == pattern % 8;
            QVERIFY2(std::signbit(back[pattern * 8 + i]) == (std::signbit(values[pattern * 8 + i]) != turned), qPrintable(QString("pattern %1").arg(pattern)));
        }
    }
}

// A value thirty times the others: only its own group loses by it.
void TestEncoders::oneHugeValueLeavesTheOtherGroupsAlone() {
    QFETCH(uint32_t, type);
    const Encoder& encoder = *encoderOf(static_cast<TensorType>(type));
    const auto all = floatsOf("source.f32");
    std::vector<float> values(all.begin(), all.begin() + 256);
    for (float& value : values) value = std::clamp(value, -1.5f, 1.5f);
    values[40] = 30.0f;
    const auto back = decoded(encoder.type, encoded(encoder, values), values.size());
    double error = 0, size = 0;
    for (size_t i = 64; i < values.size(); ++i) {
        error += double(back[i] - values[i]) * (back[i] - values[i]);
        size += double(values[i]) * values[i];
    }
    QVERIFY2(std::fabs(back[40] - 30.0f) < 6.0f && error < 0.6 * size, qPrintable(QString("%1 for 30, error %2").arg(back[40]).arg(error / size)));
}

void TestEncoders::anyCutAtBlocksGivesTheSameBytes() {
    QFETCH(uint32_t, type);
    const auto& row = info(static_cast<TensorType>(type));
    const auto values = floatsOf("source.f32");
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
        // Grids and books have no code for the zeros beside it.
        const bool book = encoder.type == TensorType::IQ4_NL || encoder.type == TensorType::IQ4_XS;
        const float tolerance = isOfGrid(encoder.type) ? 0.3f : book ? 5e-3f : 1e-3f;
        QVERIFY2(std::isfinite(back[0]) && std::fabs(back[0] - value) <= tolerance * encoder.largest, qPrintable(QString::number(back[0])));
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
