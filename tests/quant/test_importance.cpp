// Importance matrices: both kinds of files are read alike, whatever is wrong with one is said in a sentence, and quantizing
// heeds them.
#include "engine/format/gguf_writer.h"
#include "engine/quant/importance.h"
#include "engine/quant/quantize.h"
#include "kernels/quant/formats.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace steelyard;

namespace {

std::span<const uint8_t> asBytes(const std::vector<float>& values) {
    return {reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float)};
}
std::span<const uint8_t> asBytes(const std::string& text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

template <class T>
std::string raw(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

// An entry of the older kind of file.
std::string entry(const std::string& name, int32_t chunks, const std::vector<float>& values) {
    return raw(int32_t(name.size())) + name + raw(chunks) + raw(int32_t(values.size())) +
           std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

std::string ggufOf(const std::vector<std::pair<std::string, std::vector<float>>>& tensors) {
    GgufWriter writer;
    writer.add("general.type", "imatrix");
    for (const auto& [name, values] : tensors)
        if (!writer.addTensor(name, TensorType::F32, {values.size()}, asBytes(values))) qFatal("the test cannot write");
    return writer.bytes();
}

GgufTensor tensorOf(const char* name, std::vector<uint64_t> shape) { return {name, TensorType::F32, std::move(shape), 0, 0, 0}; }

} // namespace

class TestImportance : public QObject {
    Q_OBJECT

private slots:
    void bothKindsGiveTheSameMeans();
    void matricesOfExpertsHaveTheirOwn();
    void whatIsWrittenIsReadAgain();
    void badFilesGiveASentence_data();
    void badFilesGiveASentence();
    void everyCutOfAFileGivesASentence();
    void anotherModelsIsTold();
    void quantizingHeedsIt();

private:
    std::filesystem::path place(const char* name) const { return std::filesystem::path(m_folder.path().toStdString()) / name; }
    QTemporaryDir m_folder;
};

void TestImportance::bothKindsGiveTheSameMeans() {
    const auto old = Importance::parse(asBytes(raw(int32_t(1)) + entry("blk.0.attn_q.weight", 5, {10, 20, 0, 5}) + raw(int32_t(5)) + raw(int32_t(4)) + "text"));
    const auto gguf = Importance::parse(asBytes(ggufOf({{"blk.0.attn_q.weight.in_sum2", {1024, 2048, 0, 512}}, {"blk.0.attn_q.weight.counts", {512}}})));
    QVERIFY2(old.ok() && gguf.ok(), qPrintable(QString::fromStdString(old.sentence() + gguf.sentence())));
    const auto tensor = tensorOf("blk.0.attn_q.weight", {4, 7});
    for (const auto* importance : {&*old, &*gguf}) {
        QVERIFY(importance->has("blk.0.attn_q.weight") && !importance->has("blk.0.attn_k.weight"));
        for (uint64_t row = 0; row < 7; ++row) {
            const float* columns = importance->columnsOf(tensor, row);
            QVERIFY(columns);
            QVERIFY((std::vector<float>(columns, columns + 4) == std::vector<float>{2, 4, 0, 1}));
        }
    }
    QCOMPARE(old->chunks(), uint64_t(5));
    QCOMPARE(old->texts(), std::vector<std::string>{"text"});
    QVERIFY(!old->columnsOf(tensorOf("blk.0.attn_k.weight", {4, 7}), 0));
}

void TestImportance::matricesOfExpertsHaveTheirOwn() {
    const std::string name = "blk.0.ffn_up_exps.weight";
    const auto importance = Importance::parse(asBytes(ggufOf({{name + ".in_sum2", {1, 2, 0, 0, 8, 6}}, {name + ".counts", {1, 0, 2}}})));
    QVERIFY2(importance.ok(), qPrintable(QString::fromStdString(importance.sentence())));
    const auto tensor = tensorOf(name.c_str(), {2, 10, 3});
    QCOMPARE(importance->columnsOf(tensor, 9)[1], 2.0f);
    QVERIFY(!importance->columnsOf(tensor, 10)); // no token came to the second
    QCOMPARE(importance->columnsOf(tensor, 20)[0], 4.0f);
    QCOMPARE(importance->columnsOf(tensor, 29)[1], 3.0f);
}

void TestImportance::whatIsWrittenIsReadAgain() {
    std::map<std::string, ColumnSquares> tensors;
    tensors["a.weight"] = {{1, 4, 9}, {2}};
    tensors["b.weight"] = {{1, 4, 9, 16}, {1, 4}};
    tensors[std::string(60, 'n')] = {{1}, {1}}; // with its ending no name that a file can have
    QVERIFY(writeImportance(place("written.gguf"), tensors, {"a text", 3, 512}).ok());
    QCOMPARE(std::filesystem::file_size(place("written.gguf")) % 32, uintmax_t(0)); // the field's reader wants the last gap too
    const auto importance = Importance::open(place("written.gguf"));
    QVERIFY2(importance.ok(), qPrintable(QString::fromStdString(importance.sentence())));
    QCOMPARE(importance->tensors(), size_t(2));
    QCOMPARE(importance->chunks(), uint64_t(3));
    QCOMPARE(importance->texts(), std::vector<std::string>{"a text"});
    QCOMPARE(importance->columnsOf(tensorOf("a.weight", {3, 1}), 0)[2], 4.5f);
    QCOMPARE(importance->columnsOf(tensorOf("b.weight", {2, 5, 2}), 5)[1], 4.0f);
}

void TestImportance::badFilesGiveASentence_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& bytes, const char* says) {
        QTest::newRow(name) << QByteArray(bytes.data(), qsizetype(bytes.size())) << QString(says);
    };
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
    row("nothing", "", "is no importance matrix");
    row("a text", "This is a text and no matrix at all.", "is no importance matrix");
    row("no entries", raw(int32_t(0)), "is no importance matrix");
    row("fewer than none", raw(int32_t(-4)), "is no importance matrix");
    row("too many entries", raw(int32_t(0x7FFFFFFF)), "is no importance matrix");
    row("endless name", raw(int32_t(1)) + raw(int32_t(0x7FFFFFFF)) + "name", "is no importance matrix");
    row("name that is no text", raw(int32_t(1)) + entry("\xFF\xFE", 1, {1}), "is no importance matrix");
    row("second name is missing", raw(int32_t(2)) + entry("a", 1, {1}), "entry 2 has no name");
    row("negative number of values", raw(int32_t(1)) + raw(int32_t(1)) + "a" + raw(int32_t(1)) + raw(int32_t(-1)), "ends in the values of \"a\"");
    row("more values than bytes", raw(int32_t(1)) + raw(int32_t(1)) + "a" + raw(int32_t(1)) + raw(int32_t(0x7FFFFFFF)) + "abcd", "ends in the values");
    row("undefined", raw(int32_t(1)) + entry("a", 1, {1, nan}), "is no sum of squares");
    row("infinite", raw(int32_t(1)) + entry("a", 1, {infinite}), "is no sum of squares");
    row("negative", raw(int32_t(1)) + entry("a", 1, {-1}), "is no sum of squares");
    row("twice", raw(int32_t(2)) + entry("a", 1, {1}) + entry("a", 1, {1}), "stands in it twice");
    row("of another kind", ggufOf({{"blk.0.attn_q.weight", {1, 2}}}), "has no sums of squares");
    row("no tensors", ggufOf({}), "has no sums of squares");
    row("no counts", ggufOf({{"a.in_sum2", {1, 2}}}), "\"a.counts\" is missing");
    row("counts that do not divide", ggufOf({{"a.in_sum2", {1, 2, 3}}, {"a.counts", {1, 1}}}), "3 sums for 2 counts");
    row("negative count", ggufOf({{"a.in_sum2", {1, 2}}, {"a.counts", {-1}}}), "is no count");
    row("undefined count", ggufOf({{"a.in_sum2", {1, 2}}, {"a.counts", {nan}}}), "is no count");
    row("undefined sum", ggufOf({{"a.in_sum2", {1, nan}}, {"a.counts", {1}}}), "is no sum of squares");
    GgufWriter halves;
    const std::vector<float> two{0, 0};
    QVERIFY(halves.addTensor("a.in_sum2", TensorType::F16, {4}, asBytes(two)).ok() && halves.addTensor("a.counts", TensorType::F32, {2}, asBytes(two)).ok());
    row("sums that are halves", halves.bytes(), "is not of type F32");
}

void TestImportance::badFilesGiveASentence() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const auto importance = Importance::parse({reinterpret_cast<const uint8_t*>(bytes.data()), size_t(bytes.size())});
    QVERIFY(!importance.ok());
    const QString sentence = QString::fromStdString(importance.sentence());
    QVERIFY2(sentence.contains(says) && sentence.endsWith("."), qPrintable(sentence));
}

void TestImportance::everyCutOfAFileGivesASentence() {
    const std::string old = raw(int32_t(2)) + entry("first", 1, {1, 2}) + entry("second", 1, {3});
    const std::string gguf = ggufOf({{"a.in_sum2", {1, 2}}, {"a.counts", {1}}});
    const auto checkCuts = [](const std::string& whole, size_t spare) {
        QVERIFY(Importance::parse(asBytes(whole)).ok());
        for (size_t length = 0; length + spare < whole.size(); ++length) {
            const auto cut = Importance::parse(asBytes(whole).first(length));
            QVERIFY2(!cut.ok() && !cut.sentence().empty(), qPrintable(QString::number(length)));
        }
    };
    checkCuts(old, 0);
    checkCuts(gguf, 32); // the gap behind the last tensor may be missing
}

void TestImportance::anotherModelsIsTold() {
    GgufWriter writer;
    const std::vector<float> values(64 * 2, 1.0f);
    QVERIFY(writer.addTensor("blk.0.attn_q.weight", TensorType::F32, {64, 2}, asBytes(values)).ok() && writer.write(place("model.gguf")).ok());
    const auto model = GgufFile::open(place("model.gguf"));
    QVERIFY(model.ok());
    const auto fits = [&](const std::string& bytes) { return Importance::parse(asBytes(bytes))->checkFits(*model).sentence(); };
    QCOMPARE(fits(raw(int32_t(1)) + entry("blk.0.attn_q.weight", 1, std::vector<float>(64, 1.0f))), std::string());
    QVERIFY(fits(raw(int32_t(1)) + entry("blk.0.attn_q.weight", 1, std::vector<float>(32, 1.0f))).find("has 64 columns") != std::string::npos);
    QVERIFY(fits(raw(int32_t(1)) + entry("blk.0.other.weight", 1, {1})).find("is of another model") != std::string::npos);
}

void TestImportance::quantizingHeedsIt() {
    std::vector<float> values(64 * 2);
    for (size_t i = 0; i < values.size(); ++i) values[i] = std::sin(float(i * i));
    GgufWriter writer;
    writer.add("general.architecture", "llama");
    QVERIFY(writer.addTensor("blk.0.attn_q.weight", TensorType::F32, {64, 2}, asBytes(values)).ok());
    QVERIFY(writer.addTensor("blk.0.attn_k.weight", TensorType::F32, {64, 2}, asBytes(values)).ok() && writer.write(place("source.gguf")).ok());
    std::vector<float> squares(64, 0.01f);
    for (size_t i = 0; i < 64; i += 4) squares[i] = 50.0f;
    QVERIFY(writeImportance(place("importance.gguf"), {{"blk.0.attn_q.weight", {squares, {1}}}}, {"text", 7, 512}).ok());

    const std::atomic<bool> goesOn{false};
    const auto made = quantizeFile({place("source.gguf"), place("made.gguf"), "IQ4_NL", 1, place("importance.gguf")}, {}, goesOn);
    QVERIFY2(made.ok(), qPrintable(QString::fromStdString(made.sentence())));
    QCOMPARE(made->notices.size(), size_t(1));
    QVERIFY(made->notices[0].find("says nothing of \"blk.0.attn_k.weight\"") != std::string::npos);
    const auto file = GgufFile::open(place("made.gguf"));
    QVERIFY(file.ok());
    QCOMPARE(file->unsignedValue("quantize.imatrix.chunks_count")->value(), uint64_t(7));
    const auto error = [&](const char* name) { // of the columns that count
        const auto* tensor = file->findTensor(name);
        std::vector<float> back(values.size());
        kernels::decodeRow(static_cast<uint32_t>(tensor->type), file->data(*tensor).data(), uint32_t(back.size()), back.data());
        double sum = 0;
        for (size_t i = 0; i < values.size(); i += 4) sum += double(back[i] - values[i]) * (back[i] - values[i]);
        return sum;
    };
    QVERIFY(error("blk.0.attn_q.weight") < 0.9 * error("blk.0.attn_k.weight"));

    const auto missing = quantizeFile({place("source.gguf"), place("other.gguf"), "IQ4_NL", 1, place("absent.gguf")}, {}, goesOn);
    QVERIFY(!missing.ok() && !std::filesystem::exists(place("other.gguf")));
}

QTEST_APPLESS_MAIN(TestImportance)
#include "test_importance.moc"
