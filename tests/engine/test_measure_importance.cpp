// How much columns count, measured with the model: sums equal their definition, every matrix of every kind of model is seen,
// and nothing is left behind by what goes wrong.
#include "engine/evaluate/measure_importance.h"
#include "engine/format/gguf_file.h"
#include "engine/model/architectures.h"
#include "engine/model/weights.h"
#include "kernels/quant/formats.h"
#include "tests/engine/letters_model.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <cstring>
#include <fstream>
#include <set>

using namespace steelyard;

namespace {

const std::string kFolder = std::string(STEELYARD_TEST_DATA) + "/architectures/";
const std::atomic<bool> kGoesOn{false};

// Two windows of 24 ids below 120.
TextWindows someWindows() {
    TextWindows windows;
    windows.ids.assign(2, std::vector<int32_t>(24));
    for (size_t i = 0; i < 48; ++i) windows.ids[i / 24][i % 24] = static_cast<int32_t>((i * i * 7 + i * 13 + 5) % 120);
    return windows;
}

std::vector<float> valuesOf(const GgufFile& file, const std::string& name) {
    const GgufTensor& tensor = *file.findTensor(name);
    std::vector<float> values(tensor.columns() * tensor.rows());
    kernels::decodeRow(static_cast<uint32_t>(tensor.type), file.data(tensor).data(), static_cast<uint32_t>(values.size()), values.data());
    return values;
}

// The matrices of a model's layers that products read, by their tensors' names.
std::set<std::string> matricesOf(const GgufFile& file) {
    const auto spec = readSpec(file);
    ModelWeights weights;
    std::set<std::string> names;
    for (const auto& slot : weightSlots(*spec, weights))
        if (slot.use == WeightUse::Matrix && slot.place.part != WeightPlace::Part::Output) names.insert(slot.name);
    return names;
}

} // namespace

class TestMeasureImportance : public QObject {
    Q_OBJECT

private slots:
    void sumsEqualTheirDefinition();
    void expertsCountTheirOwnTokens();
    void everyMatrixIsSeen_data();
    void everyMatrixIsSeen();
    void threadsDoNotChangeTheSums();
    void theFileIsReadByQuantize();
    void whatGoesWrongLeavesNothing();

private:
    std::filesystem::path place(const char* name) const { return std::filesystem::path(m_folder.path().toStdString()) / name; }
    std::filesystem::path lettersModel() const {
        std::ofstream(place("letters.gguf"), std::ios::binary)
            << letters(128, kPlain).filled("token_embd.weight", {32, 97}, 0.5f).filled("blk.0.attn_norm.weight", {32}, 1.0f).bytes();
        return place("letters.gguf");
    }
    QTemporaryDir m_folder;
};

// The first layer's input is the norm of the embeddings: by hand.
void TestMeasureImportance::sumsEqualTheirDefinition() {
    const auto windows = someWindows();
    const auto sums = sumColumns(kFolder + "llama-dense.gguf", windows, 1, {}, kGoesOn);
    QVERIFY2(sums.ok(), qPrintable(QString::fromStdString(sums.sentence())));
    const auto file = GgufFile::open(kFolder + "llama-dense.gguf");
    const auto table = valuesOf(*file, "token_embd.weight"), norm = valuesOf(*file, "blk.0.attn_norm.weight");
    const size_t columns = norm.size();
    std::vector<double> expected(columns);
    for (const auto& window : windows.ids)
        for (const int32_t id : window) {
            const float* row = &table[size_t(id) * columns];
            double squares = 0;
            for (size_t i = 0; i < columns; ++i) squares += double(row[i]) * row[i];
            const double scale = 1.0 / std::sqrt(squares / double(columns) + file->realValue("llama.attention.layer_norm_rms_epsilon")->value());
            for (size_t i = 0; i < columns; ++i) expected[i] += std::pow(row[i] * scale * norm[i], 2);
        }
    for (const char* name : {"blk.0.attn_q.weight", "blk.0.attn_k.weight", "blk.0.attn_v.weight"}) {
        const auto& squares = sums->at(name);
        QCOMPARE(squares.sums.size(), columns);
        QCOMPARE(squares.counts, std::vector<uint64_t>{48});
        for (size_t i = 0; i < columns; ++i) QVERIFY(std::fabs(squares.sums[i] - expected[i]) <= 1e-4 * expected[i]);
    }
    QVERIFY(sums->count("output.weight") == 0 && sums->count("token_embd.weight") == 0);
}

void TestMeasureImportance::expertsCountTheirOwnTokens() {
    const auto file = GgufFile::open(kFolder + "qwen3moe-moe.gguf");
    QVERIFY(file.ok());
    const auto spec = readSpec(*file);
    const auto sums = sumColumns(kFolder + "qwen3moe-moe.gguf", someWindows(), 1, {}, kGoesOn);
    QVERIFY2(sums.ok(), qPrintable(QString::fromStdString(sums.sentence())));
    for (size_t layer = 0; layer < spec->layers.size(); ++layer) {
        const auto& experts = *spec->layers[layer].feedForward->experts;
        const auto of = [&](const char* name) -> const ColumnSquares& { return sums->at("blk." + std::to_string(layer) + "." + name + ".weight"); };
        for (const char* name : {"ffn_gate_exps", "ffn_up_exps", "ffn_down_exps"}) {
            QCOMPARE(of(name).counts.size(), size_t(experts.count));
            uint64_t tokens = 0;
            for (const uint64_t count : of(name).counts) tokens += count;
            QCOMPARE(tokens, uint64_t(48) * experts.used);
            QCOMPARE(of(name).counts, of("ffn_gate_exps").counts);
        }
        QCOMPARE(of("ffn_up_exps").sums, of("ffn_gate_exps").sums);
        // What comes to the router comes to the experts, as often as several are used.
        const size_t columns = of("ffn_gate_inp").sums.size();
        for (size_t column = 0; column < columns; ++column) {
            double all = 0;
            for (size_t expert = 0; expert < experts.count; ++expert) all += of("ffn_up_exps").sums[expert * columns + column];
            const double once = of("ffn_gate_inp").sums[column];
            QVERIFY(std::fabs(all - once * experts.used) <= 1e-4 * all);
        }
    }
}

void TestMeasureImportance::everyMatrixIsSeen_data() {
    QTest::addColumn<QString>("path");
    const QDir folder(QString::fromStdString(kFolder));
    for (const auto& name : folder.entryList({"*.gguf"})) QTest::newRow(qPrintable(name)) << folder.filePath(name);
}

void TestMeasureImportance::everyMatrixIsSeen() {
    QFETCH(QString, path);
    const auto file = GgufFile::open(path.toStdString());
    QVERIFY(file.ok());
    const auto sums = sumColumns(path.toStdString(), someWindows(), 1, {}, kGoesOn);
    QVERIFY2(sums.ok(), qPrintable(QString::fromStdString(sums.sentence())));
    for (const auto& name : matricesOf(*file)) {
        const auto found = sums->find(name);
        QVERIFY2(found != sums->end(), name.c_str());
        const GgufTensor& tensor = *file->findTensor(name);
        QCOMPARE(found->second.sums.size(), size_t(tensor.columns()) * found->second.counts.size());
        QVERIFY2(*std::max_element(found->second.sums.begin(), found->second.sums.end()) > 0.0f, name.c_str());
    }
}

void TestMeasureImportance::threadsDoNotChangeTheSums() {
    const auto one = sumColumns(kFolder + "llama-dense.gguf", someWindows(), 1, {}, kGoesOn), more = sumColumns(kFolder + "llama-dense.gguf", someWindows(), 3, {}, kGoesOn);
    for (const auto& [name, squares] : *one) QVERIFY2(squares.sums == more->at(name).sums, name.c_str());
}

void TestMeasureImportance::theFileIsReadByQuantize() {
    const auto model = lettersModel();
    size_t told = 0;
    std::string text;
    for (int i = 0; i < 100; ++i) text += static_cast<char>('a' + i * i % 26);
    const auto made = measureImportance({model, place("made.gguf"), text, "letters.txt", 32, 1},
                                        [&](size_t done, size_t all) {
                                            QCOMPARE(done, ++told);
                                            QCOMPARE(all, size_t(3));
                                        },
                                        kGoesOn);
    QVERIFY2(made.ok(), qPrintable(QString::fromStdString(made.sentence())));
    QCOMPARE(made->tokens, uint64_t(96));
    QCOMPARE(told, size_t(3));
    const auto importance = Importance::open(place("made.gguf"));
    QVERIFY2(importance.ok(), qPrintable(QString::fromStdString(importance.sentence())));
    QCOMPARE(importance->tensors(), made->tensors);
    QCOMPARE(importance->chunks(), uint64_t(3));
    QCOMPARE(importance->texts(), std::vector<std::string>{"letters.txt"});
    const auto file = GgufFile::open(model);
    QVERIFY(importance->checkFits(*file).ok());
    QVERIFY(importance->columnsOf(*file->findTensor("blk.0.attn_q.weight"), 0));
}

void TestMeasureImportance::whatGoesWrongLeavesNothing() {
    const auto model = lettersModel();
    const QStringList before = QDir(m_folder.path()).entryList(QDir::Files);
    const std::string text(100, 'x');
    const auto sentence = [&](const ImportanceRequest& request, const std::atomic<bool>& cancelled = kGoesOn) {
        return measureImportance(request, {}, cancelled).sentence();
    };
    QVERIFY(!sentence({model, place("new.gguf"), "one", "text", 32, 1}).empty()); // too short a text
    QVERIFY(sentence({model, model, text, "text", 32, 1}).find("must not take the place of the model") != std::string::npos);
    QVERIFY(sentence({model, place("absent") / "new.gguf", text, "text", 32, 1}).find("does not exist") != std::string::npos);
    QVERIFY(!sentence({place("absent.gguf"), place("new.gguf"), text, "text", 32, 1}).empty());
    QVERIFY(!sentence({kFolder + "llama-dense.gguf", place("new.gguf"), text, "text", 32, 1}).empty()); // has no vocabulary
    const std::atomic<bool> cancelled{true};
    QVERIFY(!sentence({model, place("new.gguf"), text, "text", 32, 1}, cancelled).empty());
    QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files), before);
}

QTEST_APPLESS_MAIN(TestMeasureImportance)
#include "test_measure_importance.moc"
