// A load: its progress, its end when it is cancelled or a part of it fails, and weights that are packed in slices.
#include "engine/loaded_model.h"
#include "tests/engine/tiny_model.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cstring>
#include <fstream>

using namespace steelyard;

class TestLoading : public QObject {
    Q_OBJECT

private slots:
    void progressGrowsToOne();
    void cancellingEndsTheLoad();
    void cancelledBeforeItBegins();
    void aVocabularyThatCannotBeUsedIsTold();
    void slicesAreTheWholeMatrix();
    void weightsAreCounted();

private:
    static constexpr uint64_t kRows = 70'000;

    // A model whose table is packed in several slices: 70,000 tokens.
    std::filesystem::path wideModel() {
        if (std::filesystem::exists(place("wide.gguf"))) return place("wide.gguf");
        std::vector<uint8_t> table(tensorBytes(TensorType::Q8_0, 32 * kRows).value());
        for (size_t i = 0; i < table.size(); ++i) table[i] = i % 34 == 0 ? 0 : i % 34 == 1 ? 0x20 : static_cast<uint8_t>(i * 31 + i / 97);
        TinyModel model;
        model.key("tokenizer.ggml.model", "no_vocab").without("output.weight");
        return write("wide.gguf", model.tensor("token_embd.weight", {32, kRows}, TensorType::Q8_0, table));
    }
    std::filesystem::path place(const char* name) const { return std::filesystem::path(m_folder.path().toStdString()) / name; }
    std::filesystem::path write(const char* name, const TinyModel& model) {
        std::ofstream(place(name), std::ios::binary) << model.bytes();
        return place(name);
    }
    static LoadRequest requestFor(const std::filesystem::path& path, const char* device = "cpu") {
        LoadRequest request;
        request.path = path;
        request.device = device;
        request.contextLength = 32;
        return request;
    }
    QTemporaryDir m_folder;
    const std::atomic<bool> m_goesOn{false};
};

void TestLoading::progressGrowsToOne() {
    float last = 0;
    int calls = 0;
    const auto model = loadModel(requestFor(wideModel()), {}, [&](float fraction) {
        QVERIFY(fraction >= last && fraction <= 1);
        last = fraction;
        ++calls;
    }, m_goesOn);
    QVERIFY2(model.ok(), model.sentence().c_str());
    QCOMPARE(last, 1.0f);
    QVERIFY(calls > 10);
}

void TestLoading::cancellingEndsTheLoad() {
    std::atomic<bool> cancelled = false;
    float last = 0;
    const auto model = loadModel(requestFor(wideModel()), {}, [&](float fraction) {
        last = fraction;
        cancelled = true;
    }, cancelled);
    QVERIFY(model.sentence().find("cancelled") != std::string::npos);
    QVERIFY(last < 1);
}

void TestLoading::cancelledBeforeItBegins() {
    const std::atomic<bool> cancelled = true;
    QVERIFY(loadModel(requestFor(wideModel()), {}, {}, cancelled).sentence().find("cancelled") != std::string::npos);
}

void TestLoading::aVocabularyThatCannotBeUsedIsTold() {
    const auto path = write("unknown.gguf", TinyModel().key("tokenizer.ggml.model", "abacus"));
    const auto model = loadModel(requestFor(path), {}, {}, m_goesOn);
    QVERIFY2(model.sentence().find("abacus") != std::string::npos, model.sentence().c_str());
}

void TestLoading::slicesAreTheWholeMatrix() {
    const auto model = loadModel(requestFor(wideModel()), {}, {}, m_goesOn);
    QVERIFY2(model.ok(), model.sentence().c_str());
    const LoadedModel& loaded = **model;
    const auto source = loaded.file.data(*loaded.file.findTensor("token_embd.weight"));
    const Matrix& table = loaded.transformer->weights().table;
    const auto layout = loaded.devices.front()->tableLayout(TensorType::Q8_0, kRows, 32);
    QCOMPARE(table.layout, layout.layout);
    std::vector<uint8_t> whole(layout.bytes);
    loaded.devices.front()->pack(TensorType::Q8_0, layout.layout, source, kRows, 32, whole);
    QVERIFY(std::memcmp(whole.data(), reinterpret_cast<const void*>(table.address), whole.size()) == 0);
    QCOMPARE(loaded.transformer->weights().output.address, table.address); // tied: one copy
}

void TestLoading::weightsAreCounted() {
    const auto model = loadModel(requestFor(wideModel()), {}, {}, m_goesOn);
    QVERIFY2(model.ok(), model.sentence().c_str());
    const ModelWeights& weights = (*model)->transformer->weights();
    uint64_t bytes = 0;
    for (const auto& buffer : weights.buffers) bytes += buffer.bytes();
    QCOMPARE(weights.bytes, bytes);
    QVERIFY(weights.bytes >= tensorBytes(TensorType::Q8_0, 32 * kRows).value());
}

QTEST_APPLESS_MAIN(TestLoading)
#include "test_loading.moc"
