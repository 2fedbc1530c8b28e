// Every malformed file gets its sentence, at once and without taking memory on the word of the file. What is only odd
// is read.
#include "engine/engine.h"
#include "engine/template/chat_format.h"
#include "engine/tokenizer/tokenizer.h"
#include "tests/engine/malformed_files.h"

#include <nlohmann/json.hpp>

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <new>
#include <set>

namespace {

constexpr size_t kLargestAllocation = size_t(256) << 20;
std::atomic<size_t> largestAllocation{0};

void* counted(size_t size) {
    size_t largest = largestAllocation;
    while (size > largest && !largestAllocation.compare_exchange_weak(largest, size)) {
    }
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}

} // namespace

// Every allocation of the program goes through here. The array forms call these.
void* operator new(size_t size) {
    return counted(size);
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
    try {
        return counted(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
    std::free(memory);
}

using namespace steelyard;

namespace {

void addRows(const std::vector<MalformedFile>& files) {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    for (const auto& file : files)
        QTest::newRow(file.name.c_str()) << QByteArray::fromStdString(file.bytes) << QString::fromStdString(file.says);
}

Result<GgufFile> parsed(const std::string& bytes) {
    return GgufFile::parse({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, bytes.size());
}

} // namespace

class TestMalformedFiles : public QObject {
    Q_OBJECT
private slots:
    void init() { largestAllocation = 0; }
    void cleanup() { QVERIFY2(largestAllocation <= kLargestAllocation, "too much memory was asked for"); }
    void heads_data() { addRows(malformedHeads()); }
    void heads();
    void models_data() { addRows(malformedModels()); }
    void models();
    void vocabularies_data() { addRows(malformedVocabularies()); }
    void vocabularies();
    void templates_data() { addRows(malformedTemplates()); }
    void templates();
    void allNamesDiffer();

private:
    static bool namesItsField(const QString& name, const QString& sentence);
    void compare(const QString& sentence) const;
};

// Whether a sentence names what is wrong: the key, the tensor or the token, by the group of the shared list.
bool TestMalformedFiles::namesItsField(const QString& name, const QString& sentence) {
    static const std::pair<QString, QString> kGroups[] = {
        {"K\\d", "\"a\"|Key \\d+ of \\d+"},
        {"A\\d", "\"general.alignment\"|Tensor \"\\w\"|tensor data"},
        {"(G10 )?T\\d", "[Tt]ensor"},
        {"M\\d", "architecture|\\w+\\.\\w+|vocabulary"},
        {"V\\d", "tokenizer\\.ggml\\.\\w+|[Tt]oken \\d+|token_embd\\.weight"},
    };
    for (const auto& [group, wanted] : kGroups)
        if (QRegularExpression("^" + group).match(name).hasMatch()) return QRegularExpression(wanted).match(sentence).hasMatch();
    return true;
}

// An empty sentence means that the file was read.
void TestMalformedFiles::compare(const QString& sentence) const {
    QFETCH(QString, says);
    QVERIFY2(sentence.isEmpty() == says.isEmpty(), qPrintable(sentence.left(300)));
    QVERIFY2(sentence.contains(says), qPrintable(sentence.left(300)));
    QVERIFY2(sentence.isEmpty() || namesItsField(QString::fromUtf8(QTest::currentDataTag()), sentence), qPrintable(sentence.left(300)));
    QVERIFY(sentence.size() < 1000); // a sentence for a person, whatever the file holds
    for (const QChar c : sentence)
        QVERIFY(c.unicode() >= 0x20);
}

void TestMalformedFiles::heads() {
    QFETCH(QByteArray, bytes);
    compare(QString::fromStdString(parsed(bytes.toStdString()).sentence()));
}

void TestMalformedFiles::models() {
    QFETCH(QByteArray, bytes);
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("model.gguf").toStdString();
    std::ofstream(path, std::ios::binary).write(bytes.constData(), bytes.size());
    const auto summary = Engine::inspect(path);
    if (!summary || !summary->refusal.empty())
        return compare(QString::fromStdString(summary ? summary->refusal : summary.sentence()));
    LoadRequest request;
    request.path = path;
    request.device = "cpu";
    compare(QString::fromStdString(Engine::plan(request).sentence()));
}

void TestMalformedFiles::vocabularies() {
    QFETCH(QByteArray, bytes);
    const auto file = parsed(bytes.toStdString());
    QVERIFY2(file.ok(), file.sentence().c_str());
    const auto tokenizer = Tokenizer::fromFile(*file);
    if (tokenizer)
        for (const bool special : {true, false})
            (void)(*tokenizer)
                ->detokenize((*tokenizer)->tokenize("abcd <x>> <|end|>\xFF" + std::string(5000, 'a'), special), true);
    compare(QString::fromStdString(tokenizer.sentence()));
}

void TestMalformedFiles::templates() {
    QFETCH(QByteArray, bytes);
    const auto format = ChatFormat::compile(bytes.toStdString());
    if (!format) return compare(QString::fromStdString(format.sentence()));
    // Fewer steps than the program gives, since a loop that never ends is the same after a million.
    const int64_t steps = std::max<int64_t>(1'000'000, 4 * bytes.size());
    compare(QString::fromStdString(format->render(nlohmann::ordered_json::object(), 0, steps).sentence()));
}

void TestMalformedFiles::allNamesDiffer() {
    std::set<std::string> names;
    for (const auto& files : {malformedHeads(), malformedModels(), malformedVocabularies(), malformedTemplates()})
        for (const auto& file : files)
            QVERIFY2(names.insert(file.name).second, file.name.c_str());
    QVERIFY(names.size() > 300);
}

QTEST_APPLESS_MAIN(TestMalformedFiles)
#include "test_malformed_files.moc"
