// Model files: a good one comes back as it was written, and each kind of damage gives a sentence that names it.
#include "engine/format/gguf_file.h"
#include "engine/format/gguf_writer.h"
#include "tests/engine/malformed_gguf.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
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
    void malformedFiles_data();
    void malformedFiles();
    void acceptsHarmlessOddities();
    void everyPrefixIsRefused();
    void largeHeadsAreReadInLinearTime();
    void alignmentsThatAreAllowed();
    void headWithoutDataForAnEstimate();
    void shrunkFileIsNoticed();
    void opensPathsOfAllLanguages();
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

void TestGgufFile::malformedFiles_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& bytes, const char* says) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(says);
    };
    constexpr uint64_t kAll = ~uint64_t(0), kTop = uint64_t(1) << 63;

    // Header.
    for (const size_t size : {1u, 3u, 4u, 7u, 8u, 23u})
        row(("H01 " + std::to_string(size)).c_str(), RawBytes().header(0, 0).bytes.substr(0, size), "only");
    row("H02 magic", RawBytes().raw("ABCD").zeros(40).bytes, "begins with \"ABCD\"");
    row("H02 reversed", RawBytes().raw("FUGG").zeros(40).bytes, "big-endian");
    row("H02 lower", RawBytes().raw("gguf").zeros(40).bytes, "begins with \"gguf\"");
    row("H02 mark", RawBytes().raw("\xEF\xBB\xBFGGUF").zeros(40).bytes, "not a GGUF file");
    row("H02 ggml", RawBytes().raw("lmgg").zeros(40).bytes, "old GGML");
    row("H02 ggjt", RawBytes().raw("tjgg").zeros(40).bytes, "old GGML");
    row("H03 page", "<!DOCTYPE html><html><head></head></html>", "web page");
    row("H03 json", "{\"error\":\"Repository not found\"}   ", "JSON");
    row("H03 zip", RawBytes().raw("PK\x03\x04").zeros(40).bytes, "zip");
    row("H03 pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "LFS pointer");
    row("H03 safetensors", RawBytes().u64(20).raw("{\"a\":{}}").zeros(20).bytes, "SafeTensors");
    row("H04", RawBytes().header(0, 0, 0).bytes, "version is 0");
    row("H05", RawBytes().header(0, 0, 1).bytes, "version 1 is no longer");
    row("H06 4", RawBytes().header(0, 0, 4).bytes, "newer version");
    row("H06 all", RawBytes().header(0, 0, 0xFFFFFFFF).bytes, "newer version");
    row("H07", RawBytes().header(0, 0, 0x03000000).bytes, "big-endian");
    for (const uint64_t count : {kAll, kTop, uint64_t(1) << 60, uint64_t(1) << 32}) {
        row(("H08 " + std::to_string(count)).c_str(), RawBytes().header(count, 0).bytes, "tensor count");
        row(("H10 " + std::to_string(count)).c_str(), RawBytes().header(0, count).bytes, "key count");
    }
    row("H10 one more", RawBytes().header(0, 2).u32Key("a", 1).u64(9).zeros(8).bytes, "Key 2 of 2");
    row("H10 one less", RawBytes().header(1, 0).u32Key("general.alignment", 32).padTo(32).zeros(64).bytes, "ensor");

    // Keys.
    for (const uint64_t length : {kAll, kTop, (uint64_t(1) << 31) + 1, uint64_t(65536), uint64_t(40)})
        row(("K01 " + std::to_string(length)).c_str(), RawBytes().header(0, 1).u64(length).zeros(30).bytes, "length");
    row("K02", RawBytes().header(0, 1).u64(0).zeros(20).bytes, "is empty");
    row("K03 same", RawBytes().header(0, 2).u32Key("a", 1).u32Key("a", 2).bytes, "duplicate key \"a\"");
    row("K03 other", RawBytes().header(0, 2).u32Key("a", 1).key("a", 7).u8(1).bytes, "duplicate key \"a\"");
    row("K04 zero", withKey(std::string_view("a\0b", 3), 7).u8(1).bytes, "not valid text");
    row("K04 line", withKey("a\nb", 7).u8(1).bytes, "not valid text");
    row("K04 utf8", withKey("a\xFF", 7).u8(1).bytes, "not valid text");
    for (const uint32_t type : {13u, 0xFFFFFFFFu, 0x7FFFFFFFu})
        row(("K05 " + std::to_string(type)).c_str(), withKey("a", type).zeros(20).bytes, "unknown type");
    row("K06", withKey("a", 7).u8(2).bytes, "true or false");
    for (const uint64_t length : {kAll, (uint64_t(1) << 30) + 1, uint64_t(9)})
        row(("K07 " + std::to_string(length)).c_str(), withKey("a", 8).u64(length).zeros(8).bytes, "length");
    row("K09", withKey("a", 9).u32(9).u64(1).zeros(20).bytes, "nested arrays");
    row("K10", withKey("a", 9).u32(77).u64(kAll).zeros(20).bytes, "unknown type");
    for (const uint64_t count : {kAll, uint64_t(1) << 60, uint64_t(6)})
        row(("K11 " + std::to_string(count)).c_str(), withKey("a", 9).u32(4).u64(count).zeros(20).bytes, "count");
    row("K12", withKey("a", 9).u32(8).u64(3).text("x").text("y").u64(1000).zeros(4).bytes, "Element 2");
    row("K13 nan", withKey("a", 6).f32(std::nanf("")).bytes, "finite");
    row("K13 inf", withKey("a", 12).f64(HUGE_VAL).bytes, "finite");

    // Alignment and layout.
    for (const uint32_t value : {0u, 3u, 13u, 48u, 0x80000000u, 0xFFFFFFFFu})
        row(("A01 " + std::to_string(value)).c_str(), RawBytes().header(0, 1).u32Key("general.alignment", value).bytes,
            "power of two");
    row("A02 i32", withKey("general.alignment", 5).u32(32).bytes, "must be a u32");
    row("A02 u64", withKey("general.alignment", 10).u64(32).bytes, "must be a u32");
    row("A02 text", withKey("general.alignment", 8).text("32").bytes, "must be a u32");
    row("A04",
        RawBytes()
            .header(2, 1)
            .u32Key("general.alignment", 64)
            .tensor("a", 0, 0, 8)
            .tensor("b", 0, 32, 8)
            .padTo(64)
            .zeros(96)
            .bytes,
        "not aligned");
    row("A07", RawBytes().header(1, 0).tensor("w", 0, 0, 8).bytes, "no tensor data");

    // Tensor records.
    row("T01 empty", RawBytes().header(1, 0).tensor("", 0, 0, 8).padTo(32).zeros(32).bytes, "empty name");
    row("T01 64", RawBytes().header(1, 0).tensor(std::string(64, 'x'), 0, 0, 8).padTo(32).zeros(32).bytes, "length 64");
    row("T01 -1", RawBytes().header(1, 0).u64(kAll).zeros(40).bytes, "length");
    row("T01 zero", RawBytes().header(1, 0).tensor(std::string_view("a\0", 2), 0, 0, 8).padTo(32).zeros(32).bytes,
        "not valid text");
    row("T02", RawBytes().header(2, 0).tensor("w", 0, 0, 8).tensor("w", 0, 32, 8).padTo(32).zeros(64).bytes,
        "duplicate tensor \"w\"");
    row("T03 0", RawBytes().header(1, 0).text("w").u32(0).u32(0).u64(0).padTo(32).zeros(64).bytes, "0 dimensions");
    row("T03 5", RawBytes().header(1, 0).text("w").u32(5).zeros(64).bytes, "5 dimensions");
    row("T03 all", RawBytes().header(1, 0).text("w").u32(0xFFFFFFFF).zeros(64).bytes, "dimensions");
    row("T04", withTensor(0, 0, 0).bytes, "dimension 0 is zero");
    row("T05 -1", withTensor(0, 0, kAll).bytes, "dimension 0 is -1");
    row("T05 top", withTensor(0, 0, kTop).bytes, "dimension 0 is");
    row("T06 square", withTensor(0, 0, uint64_t(1) << 32, uint64_t(1) << 32).bytes, "element count overflows");
    row("T06 wraps to 4", withTensor(0, 0, 4194305, 4194305, 211106198978564).bytes, "element count overflows");
    row("T07", withTensor(27, 0, uint64_t(1) << 61).bytes, "byte size overflows");
    row("T08",
        RawBytes()
            .header(2, 0)
            .tensor("a", 24, 0, 0x7FFFFFFFFFFFFFC0)
            .tensor("b", 24, 0x7FFFFFFFFFFFFFC0, 0x7FFFFFFFFFFFFFC0)
            .padTo(32)
            .zeros(64)
            .bytes,
        "overflows");
    row("T09 -1", withTensor(0xFFFFFFFF, 0, 8).bytes, "unknown tensor type");
    row("T09 top", withTensor(0x80000000, 0, 8).bytes, "unknown tensor type");
    for (const uint32_t type : {4u, 5u, 31u, 33u, 36u, 38u})
        row(("T10 " + std::to_string(type)).c_str(), withTensor(type, 0, 8).bytes, "removed");
    row("T11", withTensor(99, 0, 8).bytes, "newer version");
    row("T12 q4_k", withTensor(12, 0, 100).bytes, "row length 100 is not a multiple of 256");
    row("T12 q8_0", withTensor(8, 0, 31).bytes, "row length 31 is not a multiple of 32");
    row("T13 -1", withTensor(0, kAll, 8).bytes, "not aligned");
    row("T13 unaligned", withTensor(0, 8, 8).bytes, "not aligned");
    row("T13 gap", withTensor(0, 64, 8).bytes, "not where it is expected");
    row("T13 wraps", withTensor(0, kAll - 31, 8).bytes, "overflows");
    row("T13 equal", RawBytes().header(2, 0).tensor("a", 0, 0, 8).tensor("b", 0, 0, 8).padTo(32).zeros(64).bytes,
        "overlaps");
    row("T14", withTensor(0, 0, 800).bytes, "incomplete");
}

void TestGgufFile::malformedFiles() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const auto file = parsed(bytes.toStdString());
    QVERIFY2(!file.ok(), "the file was accepted");
    QVERIFY2(QString::fromStdString(file.sentence()).contains(says), file.sentence().c_str());
}

void TestGgufFile::acceptsHarmlessOddities() {
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

void TestGgufFile::everyPrefixIsRefused() {
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
    const auto file = GgufFile::open(path);
    QVERIFY(file.ok() && file->stillWhole());
    const uint64_t size = file->fileBytes();
    std::filesystem::resize_file(path, size / 2);
    QVERIFY(!file->stillWhole());
    std::vector<uint8_t> rest(16);
    const auto read = file->parts()[0]->read(size - 16, rest);
    QVERIFY(!read.ok() && read.error().sentence.find("changed") != std::string::npos);
}

void TestGgufFile::opensPathsOfAllLanguages() {
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
