// Files of another type: which tensors are turned, what is carried over, and that nothing half-made is ever left.
#include "engine/format/gguf_writer.h"
#include "engine/quant/quantize.h"
#include "engine/quant/recipes.h"
#include "tests/engine/loaded_engine.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <limits>
#if defined(__unix__)
#include <sys/resource.h>
#endif

using namespace steelyard;

namespace {

const std::filesystem::path kTiny = std::string(STEELYARD_TEST_DATA) + "/architectures/llama-dense.gguf";
const std::atomic<bool> kGoesOn{false};

QByteArray bytesOf(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray dataOf(const GgufFile& file, const std::string& name) {
    const auto data = file.data(*file.findTensor(name));
    return {reinterpret_cast<const char*>(data.data()), static_cast<qsizetype>(data.size())};
}

std::span<const uint8_t> asBytes(const std::vector<float>& values) {
    return {reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float)};
}

} // namespace

class TestQuantize : public QObject {
    Q_OBJECT

private slots:
    void keysAndTensorsAreCarriedOver();
    void theNewFileRuns();
    void singlesAndBackAreTheSameBytes();
    void everyTypeIsRead();
    void threadsDoNotChangeTheBytes();
    void partsBecomeOneFile();
    void quantizedSourcesAreTold();
    void neverInPlace();
    void placesThatCannotBeWritten();
    void valuesThatDoNotFit();
    void filesWithoutWeights();
    void cancellingLeavesNothing();
    void aFullDiskLeavesNothing();
    void tooLittleRoomIsToldBefore();

private:
    std::filesystem::path place(const char* name) const { return std::filesystem::path(m_folder.path().toStdString()) / name; }
    static Result<QuantizeResult> convert(const std::filesystem::path& from, const std::filesystem::path& to, const char* type,
                                          uint32_t threads = 2) {
        return Engine::quantize({from, to, type, threads}, {}, kGoesOn);
    }
    // The names in the test's folder.
    QStringList names() const { return QDir(m_folder.path()).entryList(QDir::Files, QDir::Name); }
    // A file with one matrix of 64 x 2 values.
    std::filesystem::path oneMatrix(const char* name, const std::vector<float>& values) {
        GgufWriter writer;
        writer.add("general.architecture", "llama");
        if (!writer.addTensor("blk.0.attn_q.weight", TensorType::F32, {64, 2}, asBytes(values)) || !writer.write(place(name)))
            qFatal("the test cannot write");
        return place(name);
    }

    QTemporaryDir m_folder;
};

void TestQuantize::keysAndTensorsAreCarriedOver() {
    const auto result = convert(kTiny, place("q8.gguf"), "Q8_0");
    QVERIFY2(result.ok(), result.sentence().c_str());
    const auto before = GgufFile::open(kTiny), after = GgufFile::open(place("q8.gguf"));
    QVERIFY2(after.ok(), after.sentence().c_str());
    QVERIFY(after->notices().empty());
    for (const auto& key : before->keys()) {
        if (key.name == "general.file_type" || key.name == "general.quantization_version") continue;
        const GgufKey* same = after->find(key.name);
        QVERIFY2(same && same->fileType == key.fileType && same->isArray == key.isArray && same->value == key.value, key.name.c_str());
    }
    QCOMPARE(after->unsignedValue("general.file_type")->value(), uint64_t(7));
    QCOMPARE(after->unsignedValue("general.quantization_version")->value(), uint64_t(2));
    QCOMPARE(after->tensors().size(), before->tensors().size());
    std::map<std::string, uint64_t> byType;
    for (const auto& tensor : before->tensors()) {
        const auto* other = after->findTensor(tensor.name);
        QVERIFY(other && other->shape == tensor.shape);
        QCOMPARE(other->type, isTurned(tensor) ? TensorType::Q8_0 : tensor.type);
        if (other->type == tensor.type) QCOMPARE(dataOf(*after, tensor.name), dataOf(*before, tensor.name));
        ++byType[std::string(info(other->type).name)];
    }
    QVERIFY(result->tensorsByType == byType);
    QCOMPARE(result->inputBytes, before->fileBytes());
    QCOMPARE(result->outputBytes, after->fileBytes());
    QCOMPARE(static_cast<qint64>(result->outputBytes), QFile(QString::fromStdString(place("q8.gguf").string())).size());
    QVERIFY(result->bitsPerWeight > 8.5 && result->bitsPerWeight < 9.5);
    QVERIFY(result->notices.empty());
    QCOMPARE(Engine::inspect(place("q8.gguf"))->facts.quantization, std::string("Q8_0"));
}

void TestQuantize::theNewFileRuns() {
    QVERIFY(convert(kTiny, place("runs.gguf"), "q8_0").ok());
    LoadedEngine before, after;
    QCOMPARE(before.load(kTiny, "cpu", TensorType::F32), std::string());
    QCOMPARE(after.load(place("runs.gguf"), "cpu", TensorType::F32), std::string());
    const std::vector<int32_t> ids = {1, 2, 3, 4, 5, 6, 7, 8};
    const auto right = before.score(ids), found = after.score(ids);
    double error = 0, total = 0;
    for (size_t i = 0; i < right->size(); ++i) {
        error += std::pow((*found)[i] - (*right)[i], 2);
        total += std::pow((*right)[i], 2);
    }
    QVERIFY2(error > 0 && error / total < 1e-3, qPrintable(QString::number(error / total)));
}

void TestQuantize::singlesAndBackAreTheSameBytes() {
    QVERIFY(convert(kTiny, place("single.gguf"), "F32").ok());
    QVERIFY(convert(place("single.gguf"), place("half.gguf"), "F16").ok());
    const auto before = GgufFile::open(kTiny), single = GgufFile::open(place("single.gguf")), after = GgufFile::open(place("half.gguf"));
    for (const auto& tensor : before->tensors()) {
        if (isTurned(tensor)) QCOMPARE(single->findTensor(tensor.name)->type, TensorType::F32);
        QCOMPARE(after->findTensor(tensor.name)->type, tensor.type);
        QCOMPARE(dataOf(*after, tensor.name), dataOf(*before, tensor.name));
    }
}

void TestQuantize::everyTypeIsRead() {
    const QDir folder(QString(STEELYARD_TEST_DATA "/quantization"));
    GgufWriter writer;
    std::vector<std::string> stems;
    for (const QString& name : folder.entryList({"*.bin"})) {
        stems.push_back(name.chopped(4).toStdString());
        const QByteArray bytes = bytesOf(folder.filePath(name).toStdString());
        const auto type = tensorTypeFromName(stems.back());
        QVERIFY(type && writer.addTensor(stems.back() + ".weight", *type, {512, 2}, {reinterpret_cast<const uint8_t*>(bytes.data()), size_t(bytes.size())}));
    }
    QCOMPARE(stems.size(), size_t(28));
    QVERIFY(writer.write(place("all.gguf")));
    const auto result = convert(place("all.gguf"), place("all-f32.gguf"), "F32");
    QVERIFY2(result.ok(), result.sentence().c_str());
    const auto after = GgufFile::open(place("all-f32.gguf"));
    for (const auto& stem : stems) {
        const QByteArray found = dataOf(*after, stem + ".weight"), right = bytesOf(folder.filePath(QString::fromStdString(stem) + ".f32").toStdString());
        QCOMPARE(found.size(), right.size());
        for (qsizetype at = 0; at < found.size(); at += 4) {
            float a = 0, b = 0;
            std::memcpy(&a, found.data() + at, 4);
            std::memcpy(&b, right.data() + at, 4);
            QVERIFY2(std::fabs(a - b) <= 1e-6f * std::fabs(b) + 1e-12f, stem.c_str());
        }
    }
}

void TestQuantize::threadsDoNotChangeTheBytes() {
    // More values than one job takes.
    std::vector<float> values(512 * 300);
    for (size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i));
    GgufWriter writer;
    QVERIFY(writer.addTensor("token_embd.weight", TensorType::F32, {512, 300}, asBytes(values)));
    QVERIFY(writer.write(place("wide.gguf")));
    QVERIFY(convert(place("wide.gguf"), place("one.gguf"), "Q8_0", 1).ok());
    QVERIFY(convert(place("wide.gguf"), place("four.gguf"), "Q8_0", 4).ok());
    QVERIFY(!bytesOf(place("one.gguf")).isEmpty());
    QCOMPARE(bytesOf(place("one.gguf")), bytesOf(place("four.gguf")));
}

void TestQuantize::partsBecomeOneFile() {
    const std::vector<float> values(64, 1.5f);
    for (uint32_t part = 0; part < 2; ++part) {
        GgufWriter writer;
        if (part == 0) writer.add("general.architecture", "llama");
        writer.add("split.no", part);
        writer.add("split.count", uint32_t(2));
        writer.add("split.tensors.count", int32_t(2));
        QVERIFY(writer.addTensor("blk." + std::to_string(part) + ".attn_q.weight", TensorType::F32, {32, 2}, asBytes(values)));
        QVERIFY(writer.write(place(part == 0 ? "s-00001-of-00002.gguf" : "s-00002-of-00002.gguf")));
    }
    for (const char* opened : {"s-00001-of-00002.gguf", "s-00002-of-00002.gguf"}) {
        const auto result = convert(place(opened), place("joined.gguf"), "F16");
        QVERIFY2(result.ok(), result.sentence().c_str());
        const auto joined = GgufFile::open(place("joined.gguf"));
        QVERIFY2(joined.ok(), joined.sentence().c_str());
        QCOMPARE(joined->parts().size(), size_t(1));
        QCOMPARE(joined->tensors().size(), size_t(2));
        QVERIFY(!joined->find("split.count") && !joined->find("split.no") && !joined->find("split.tensors.count"));
        QCOMPARE(joined->stringValue("general.architecture")->value(), std::string("llama"));
    }
    // No part may be replaced either.
    for (const char* part : {"s-00001-of-00002.gguf", "s-00002-of-00002.gguf"})
        QVERIFY(!convert(place("s-00001-of-00002.gguf"), place(part), "F16").ok());
}

void TestQuantize::quantizedSourcesAreTold() {
    QVERIFY(convert(kTiny, place("q8.gguf"), "Q8_0").ok());
    const auto expanded = convert(place("q8.gguf"), place("f32.gguf"), "F32");
    QVERIFY2(expanded.ok(), expanded.sentence().c_str());
    QCOMPARE(expanded->notices.size(), size_t(1));
    QVERIFY(expanded->notices[0].find("already quantized (Q8_0)") != std::string::npos);
    // What stays as it is loses nothing.
    QVERIFY(convert(place("q8.gguf"), place("again.gguf"), "Q8_0")->notices.empty());
}

void TestQuantize::neverInPlace() {
    const auto input = place("own.gguf");
    std::filesystem::copy_file(kTiny, input, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::create_symlink(input, place("symbolic.gguf"));
    std::filesystem::create_hard_link(input, place("hard.gguf"));
    for (const auto& path : {input, place("symbolic.gguf"), place("hard.gguf"), place(".") / "own.gguf"}) {
        const auto result = convert(input, path, "Q8_0");
        QVERIFY2(!result.ok() && result.sentence().find("another name") != std::string::npos, path.c_str());
    }
    QCOMPARE(bytesOf(input), bytesOf(kTiny));
}

void TestQuantize::placesThatCannotBeWritten() {
    std::filesystem::create_directory(place("folder"));
    QVERIFY(convert(kTiny, place("folder"), "Q8_0").sentence().find("folder") != std::string::npos);
    QVERIFY(convert(kTiny, place("absent") / "a.gguf", "Q8_0").sentence().find("does not exist") != std::string::npos);
#if defined(__unix__)
    QVERIFY(convert(kTiny, "/dev/null", "Q8_0").sentence().find("not an ordinary file") != std::string::npos);
    QVERIFY(std::filesystem::exists("/dev/null"));
#endif
    QVERIFY(!convert(place("absent.gguf"), place("out.gguf"), "Q8_0").ok());
    QVERIFY(!std::filesystem::exists(place("out.gguf")));
}

void TestQuantize::valuesThatDoNotFit() {
    std::vector<float> values(128, 0.5f);
    values[100] = 1e6f;
    const auto large = oneMatrix("large.gguf", values);
    const std::string sentence = convert(large, place("large-f16.gguf"), "F16").sentence();
    QVERIFY2(sentence.find("blk.0.attn_q.weight") != std::string::npos && sentence.find("too large for F16") != std::string::npos, sentence.c_str());
    for (const char* type : {"BF16", "Q8_0"})
        QVERIFY(convert(large, place("large-other.gguf"), type).ok());
    values[100] = std::numeric_limits<float>::quiet_NaN();
    const auto broken = oneMatrix("broken.gguf", values);
    for (const char* type : {"F16", "BF16", "Q8_0"})
        QVERIFY(convert(broken, place("broken-out.gguf"), type).sentence().find("no numbers") != std::string::npos);
    QVERIFY(!names().contains("large-f16.gguf") && !names().contains("broken-out.gguf"));
}

void TestQuantize::filesWithoutWeights() {
    GgufWriter writer;
    writer.add("general.architecture", "llama");
    QVERIFY(writer.write(place("empty.gguf")));
    QVERIFY(!convert(place("empty.gguf"), place("out.gguf"), "F16").ok());
    const std::vector<uint8_t> doubles(64 * 2 * 8);
    QVERIFY(writer.addTensor("blk.0.attn_q.weight", TensorType::F64, {64, 2}, doubles));
    QVERIFY(writer.write(place("doubles.gguf")));
    QVERIFY(convert(place("doubles.gguf"), place("out.gguf"), "F16").sentence().find("F64") != std::string::npos);
}

void TestQuantize::cancellingLeavesNothing() {
    const QStringList before = names();
    std::atomic<bool> cancelled = false;
    int steps = 0;
    const auto progress = [&](float fraction) {
        QVERIFY(fraction > 0 && fraction < 1);
        if (++steps == 3) cancelled = true;
    };
    const auto result = Engine::quantize({kTiny, place("cancelled.gguf"), "Q8_0", 1}, progress, cancelled);
    QVERIFY(result.sentence().find("cancelled") != std::string::npos);
    QCOMPARE(steps, 3);
    QCOMPARE(names(), before);
    // What stood under the name stays.
    QVERIFY(convert(kTiny, place("kept.gguf"), "F32").ok());
    const QByteArray kept = bytesOf(place("kept.gguf"));
    QVERIFY(!Engine::quantize({kTiny, place("kept.gguf"), "Q8_0", 1}, {}, cancelled).ok());
    QCOMPARE(bytesOf(place("kept.gguf")), kept);
}

void TestQuantize::aFullDiskLeavesNothing() {
#if defined(__unix__)
    std::vector<float> values(512 * 4096, 0.25f); // 8 MiB
    GgufWriter writer;
    QVERIFY(writer.addTensor("token_embd.weight", TensorType::F32, {512, 4096}, asBytes(values)));
    QVERIFY(writer.write(place("disk.gguf")));
    const QStringList before = names();
    rlimit old{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &old), 0);
    const auto oldHandler = std::signal(SIGXFSZ, SIG_IGN); // writing beyond the limit is an error instead
    const rlimit small{1u << 20, old.rlim_max};
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto result = convert(place("disk.gguf"), place("full.gguf"), "F16");
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, oldHandler);
    QVERIFY(result.sentence().find("cannot be written") != std::string::npos);
    QCOMPARE(names(), before);
#else
    QSKIP("the limit that imitates a full disk is a matter of Unix");
#endif
}

void TestQuantize::tooLittleRoomIsToldBefore() {
    // A head that declares more than the disk has, before a hole as large as it says.
    const uint64_t rows = std::filesystem::space(place("")).available / 8192 + (1u << 16);
    GgufWriter writer;
    QVERIFY(writer.declareTensor("token_embd.weight", TensorType::Q8_0, {4096, rows}));
    {
        std::ofstream file(place("huge.gguf"), std::ios::binary);
        file << writer.head();
    }
    std::error_code problem;
    std::filesystem::resize_file(place("huge.gguf"), writer.fileBytes().value(), problem);
    if (problem) QSKIP("the file system has no files with holes that large");
    const auto result = convert(place("huge.gguf"), place("out.gguf"), "F32");
    std::filesystem::remove(place("huge.gguf"));
    QVERIFY2(result.sentence().find("short") != std::string::npos, result.sentence().c_str());
}

QTEST_GUILESS_MAIN(TestQuantize)
#include "test_quantize.moc"
