// The levels that are made of a real model: as large as the field's own, and no further from the original.
#include "engine/evaluate/perplexity.h"
#include "tests/engine/loaded_engine.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <fstream>
#include <iterator>

using namespace steelyard;

namespace {

const std::atomic<bool> kGoesOn{false};

// The figures of the field's tool for SmolLM2 expanded to F32.
QJsonObject figures() {
    QFile file(STEELYARD_TEST_DATA "/models/quantization-smollm2.json");
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

std::filesystem::path realModel() { return modelFolder().empty() ? std::filesystem::path() : std::filesystem::path(modelFolder()) / kSmolLm2; }

} // namespace

class TestQuantizationLevels : public QObject {
    Q_OBJECT

private slots:
    void sizesAreKnownBeforeAndAreTheFields();
    void lossesAreNoLargerThanTheFields_data();
    void lossesAreNoLargerThanTheFields();

private:
    std::filesystem::path place(const char* name) const { return std::filesystem::path(m_folder.path().toStdString()) / name; }

    QTemporaryDir m_folder;
};

void TestQuantizationLevels::sizesAreKnownBeforeAndAreTheFields() {
    if (realModel().empty() || !std::filesystem::exists(realModel())) QSKIP("the model cache has no SmolLM2");
    const auto sizes = Engine::quantizedSizes(realModel());
    QVERIFY2(sizes.ok(), sizes.sentence().c_str());
    const QJsonArray types = figures()["types"].toArray();
    QCOMPARE(types.size(), 12);
    for (const auto& each : types) {
        const std::string type = each.toObject()["type"].toString().toStdString();
        const auto row = std::find_if(sizes->begin(), sizes->end(), [&](const QuantizedSize& size) { return size.type == type; });
        QVERIFY2(row != sizes->end(), type.c_str());
        const double right = each.toObject()["file_bytes"].toDouble();
        QVERIFY2(std::abs(double(row->fileBytes) / right - 1) < 0.001, qPrintable(QString("%1: %2").arg(type.c_str()).arg(row->fileBytes)));
    }
    const auto made = Engine::quantize({realModel(), place("made.gguf"), "Q3_K_M", 2}, {}, kGoesOn);
    QVERIFY2(made.ok(), made.sentence().c_str());
    const auto row = std::find_if(sizes->begin(), sizes->end(), [](const QuantizedSize& size) { return size.type == "Q3_K_M"; });
    QCOMPARE(made->outputBytes, row->fileBytes);
    QCOMPARE(uint64_t(std::filesystem::file_size(place("made.gguf"))), row->fileBytes);
}

void TestQuantizationLevels::lossesAreNoLargerThanTheFields_data() {
    QTest::addColumn<QString>("type");
    for (const char* type : {"Q4_K_M", "Q2_K"}) QTest::newRow(type) << type;
}

void TestQuantizationLevels::lossesAreNoLargerThanTheFields() {
    QFETCH(QString, type);
    if (realModel().empty() || !std::filesystem::exists(realModel())) QSKIP("the model cache has no SmolLM2");
    const auto expanded = place("expanded.gguf"), coarse = place("coarse.gguf");
    if (!std::filesystem::exists(expanded)) QVERIFY(Engine::quantize({realModel(), expanded, "F32"}, {}, kGoesOn).ok());
    const auto made = Engine::quantize({expanded, coarse, type.toStdString()}, {}, kGoesOn);
    QVERIFY2(made.ok(), made.sentence().c_str());
    std::ifstream file(std::string(STEELYARD_TEST_DATA) + "/models/text.txt", std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto windows = readWindows(text, 512, coarse, expanded);
    QVERIFY2(windows.ok(), windows.sentence().c_str());
    LoadedEngine measured, reference;
    QCOMPARE(measured.load(coarse, "cpu", TensorType::F16, 512), std::string());
    QCOMPARE(reference.load(expanded, "cpu", TensorType::F16, 512), std::string());
    const MeasuredModel second{reference.engine, reference.model()};
    const auto result = measurePerplexity({measured.engine, measured.model()}, &second, *windows, {}, kGoesOn);
    QVERIFY2(result.ok(), result.sentence().c_str());
    const QJsonArray types = figures()["types"].toArray();
    const auto row = std::find_if(types.begin(), types.end(), [&](const auto& each) { return each.toObject()["type"].toString() == type; });
    QVERIFY(row != types.end());
    const double perplexity = row->toObject()["perplexity"].toDouble(), meanKl = row->toObject()["mean_kl"].toDouble();
    QVERIFY2(result->perplexity <= 1.03 * perplexity, qPrintable(QString("%1, the field's %2").arg(result->perplexity).arg(perplexity)));
    QVERIFY2(result->divergence->meanKl <= 1.1 * meanKl, qPrintable(QString("%1, the field's %2").arg(result->divergence->meanKl).arg(meanKl)));
}

QTEST_GUILESS_MAIN(TestQuantizationLevels)
#include "test_quantization_levels.moc"
