// Model files: a good one comes back as it was written, and each kind of damage gives a sentence that names it.
#include "engine/format/gguf_file.h"
#include "engine/format/gguf_writer.h"
#include "tests/engine/malformed_gguf.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <limits>

using namespace steelyard;

namespace {

std::span<const uint8_t> spanOf(const std::string& bytes) {
    return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}
Result<GgufFile> parsed(const std::string& bytes, bool requireData = true) {
    return GgufFile::parse(spanOf(bytes), bytes.size(), requireData);
}

RawBytes withKey(std::string_view name, uint32_t type) {
    RawBytes file;
    file.header(0, 1).key(name, type);
    return file;
}

// One F32 tensor "w" of 8 values behind a head without keys.
RawBytes withTensor(uint32_t type, uint64_t offset, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
    RawBytes file;
    file.header(1, 0).tensor("w", type, offset, a, b, c).padTo(32).zeros(32);
    return file;
}

GgufWriter goodFile() {
    GgufWriter writer;
    writer.add("general.architecture", "llama");
    writer.add("a.bool", true);
    writer.add("a.u32", uint32_t(7));
    writer.add("a.i32", int32_t(-7));
    writer.add("a.f32", 0.5f);
    writer.add("a.texts", std::vector<std::string>{"one", "", "three"});
    writer.add("a.ints", std::vector<int32_t>{1, -2, 3});
    writer.add("a.reals", std::vector<float>{1.0f, std::numeric_limits<float>::infinity()});
    const std::vector<uint8_t> data(32, 1);
    const auto first = writer.addTensor("first", TensorType::F32, {4, 2}, data);
    const auto second = writer.addTensor("second", TensorType::F16, {16}, data);
    if (!first || !second) qFatal("the test's own file is wrong");
    return writer;
}

} // namespace

class TestGgufFile : public QObject {
    Q_OBJECT
private slots:
    void readsWhatWasWritten();
    void typedLookUpsNameTheKey();
    void G11_acceptsHarmlessOddities();
    void G13_everyPrefixIsRefused();
    void largeHeadsAreReadInLinearTime();
    void alignmentsThatAreAllowed();
    void headWithoutDataForAnEstimate();
    void shrunkFileIsNoticed();
    void G14_opensPathsOfAllLanguages();
};

void TestGgufFile::readsWhatWasWritten() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("good.gguf").toStdString();
    QVERIFY(goodFile().write(path).ok());
    const auto file = GgufFile::open(path);
    QVERIFY2(file.ok(), file.sentence().c_str());
    QCOMPARE(file->version(), 3u);
    QCOMPARE(file->tensors().size(), size_t(2));
    QVERIFY(file->notices().empty());
    QCOMPARE(file->stringValue("general.architecture")->value(), std::string("llama"));
    QCOMPARE(file->boolValue("a.bool")->value(), true);
    QCOMPARE(file->unsignedValue("a.u32")->value(), uint64_t(7));
    QCOMPARE(file->realValue("a.f32")->value(), 0.5);
    QCOMPARE((*file->stringArray("a.texts").value())[2], std::string("three"));
    QVERIFY(file->integerArray("a.ints").value() == (std::vector<int64_t>{1, -2, 3}));
    const auto* second = file->findTensor("second");
    QVERIFY(second);
    QCOMPARE(second->type, TensorType::F16);
    QCOMPARE(second->rows(), uint64_t(1));
    QCOMPARE(file->data(*second).size(), size_t(32));
    QCOMPARE(file->data(*second)[31], uint8_t(1));
    QVERIFY(!file->find("absent") && !file->findTensor("absent"));
}

void TestGgufFile::typedLookUpsNameTheKey() {
    const std::string bytes = goodFile().bytes();
    const auto file = parsed(bytes);
    QVERIFY(file.ok());
    QVERIFY(!file->unsignedValue("absent").value().has_value());
    QVERIFY(file->stringArray("absent").value() == nullptr);
    for (const auto& sentence : {file->unsignedValue("a.i32").sentence(), file->unsignedValue("a.f32").sentence(),
                                 file->stringValue("a.u32").sentence(), file->boolValue("a.u32").sentence(),
                                 file->realArray("a.reals").sentence(), file->stringArray("a.ints").sentence()})
        QVERIFY2(sentence.find("\"a.") != std::string::npos, sentence.c_str());
}

void TestGgufFile::G11_acceptsHarmlessOddities() {
    const std::string whole = withTensor(0, 0, 4).bytes; // 16 bytes of data and 16 of padding
    QVERIFY(parsed(whole)->notices().empty());
    QVERIFY(parsed(whole.substr(0, whole.size() - 16)).ok()); // the last tensor is not padded
    QCOMPARE(parsed(whole + std::string(100, 'x'))->notices().size(), size_t(1));
    const auto glued = parsed(whole + whole);
    QVERIFY(glued.ok() && glued->notices().size() == 1);
    QVERIFY(glued->notices()[0].find("joined") != std::string::npos);
    std::string dirty = whole;
    dirty.back() = '\x7F';
    QVERIFY(parsed(dirty).ok());
    const auto raw = parsed(withKey("a", 8).text("\xFF\xFE").bytes);
    QVERIFY(raw.ok() && raw->stringValue("a")->value() == "\xFF\xFE");
    QVERIFY(parsed(RawBytes().header(0, 0, 2).bytes).ok());
}

void TestGgufFile::G13_everyPrefixIsRefused() {
    const std::string bytes = goodFile().bytes();
    for (size_t size = 0; size < bytes.size(); ++size)
        QVERIFY2(!parsed(bytes.substr(0, size)).ok(), std::to_string(size).c_str());
    QVERIFY(parsed(bytes).ok());
}

void TestGgufFile::largeHeadsAreReadInLinearTime() {
    RawBytes keys;
    keys.header(0, 200000);
    for (int i = 0; i < 200000; ++i)
        keys.key("k" + std::to_string(i), 7).u8(1);
    QCOMPARE(parsed(keys.bytes)->keys().size(), size_t(200000));
    RawBytes tensors;
    tensors.header(300000, 0);
    for (uint64_t i = 0; i < 300000; ++i)
        tensors.tensor("t" + std::to_string(i), 24, i * 32, 1);
    const auto file = parsed(tensors.bytes, false);
    QVERIFY2(file.ok(), file.sentence().c_str());
    QCOMPARE(file->findTensor("t299999")->bytes, uint64_t(1));
}

void TestGgufFile::alignmentsThatAreAllowed() {
    for (const uint32_t alignment : {1u, 8u, 64u, 4096u}) {
        GgufWriter writer(alignment);
        const std::vector<uint8_t> data(12, 3);
        QVERIFY(writer.addTensor("a", TensorType::F32, {3}, data).ok());
        QVERIFY(writer.addTensor("b", TensorType::F32, {3}, data).ok());
        const std::string bytes = writer.bytes();
        const auto file = parsed(bytes);
        QVERIFY2(file.ok(), file.sentence().c_str());
        QCOMPARE(file->findTensor("b")->offset % alignment, uint64_t(0));
    }
}

void TestGgufFile::headWithoutDataForAnEstimate() {
    const std::string bytes = goodFile().bytes();
    const auto whole = parsed(bytes);
    const std::string head = bytes.substr(0, whole->dataOffset());
    QVERIFY(!parsed(head).ok());
    const auto file = parsed(head, false);
    QVERIFY(file.ok() && file->tensors().size() == 2);
}

void TestGgufFile::shrunkFileIsNoticed() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("shrinks.gguf").toStdString();
    QVERIFY(goodFile().write(path).ok());
    std::ofstream(path, std::ios::app) << std::string(1 << 18, 'x'); // pages that will be gone
    const auto file = GgufFile::open(path);
    QVERIFY(file.ok() && file->stillWhole());
    const uint64_t size = file->fileBytes();
    std::filesystem::resize_file(path, size / 2);
    QVERIFY(!file->stillWhole());
    unsigned sum = 0; // what is gone reads as zeros instead of ending the process
    for (const uint8_t byte : file->parts()[0]->bytes())
        sum += byte;
    QVERIFY(sum > 0);
    std::vector<uint8_t> rest(16);
    const auto read = file->parts()[0]->read(size - 16, rest);
    QVERIFY(!read.ok() && read.error().sentence.find("changed") != std::string::npos);
}

void TestGgufFile::G14_opensPathsOfAllLanguages() {
    QTemporaryDir folder;
    for (const char* name : {"модель.gguf", "😊.gguf", "ä ö　x.gguf"}) {
        const std::filesystem::path path = folder.filePath(QString::fromUtf8(name)).toStdString();
        QVERIFY(goodFile().write(path).ok());
        QVERIFY(GgufFile::open(path).ok());
    }
    QVERIFY(GgufFile::open(folder.filePath("absent.gguf").toStdString()).sentence().find("absent.gguf") !=
            std::string::npos);
    QVERIFY(!GgufFile::open(folder.path().toStdString()).ok());
    std::ofstream(folder.filePath("empty.gguf").toStdString());
    QVERIFY(GgufFile::open(folder.filePath("empty.gguf").toStdString()).sentence().find("0 bytes") !=
            std::string::npos);
}

QTEST_APPLESS_MAIN(TestGgufFile)
#include "test_gguf_file.moc"
