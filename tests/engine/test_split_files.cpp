// Models in several files: opened as one from any part, and refused with the name of the part that does not fit.
#include "engine/format/gguf_file.h"
#include "engine/format/gguf_writer.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <functional>

using namespace steelyard;

namespace {

struct Part {
    uint32_t number = 0, count = 3;
    int32_t tensors = 3; // of the whole model
    std::string tensor;  // the one tensor of this part
    std::function<void(GgufWriter&)> change;
};

std::string bytesOf(const Part& part) {
    GgufWriter writer;
    if (part.number == 0) writer.add("general.architecture", "llama");
    writer.add("split.no", part.number);
    writer.add("split.count", part.count);
    writer.add("split.tensors.count", part.tensors);
    if (part.change) part.change(writer);
    const std::string name = part.tensor.empty() ? "tensor" + std::to_string(part.number) : part.tensor;
    const std::vector<uint8_t> data(32, static_cast<uint8_t>(part.number + 1));
    if (!writer.addTensor(name, TensorType::F32, {8}, data)) qFatal("the test's own file is wrong");
    return writer.bytes();
}

QString nameOf(int number, int count = 3) {
    return QString::asprintf("model-%05d-of-%05d.gguf", number, count);
}

// A folder with a model in three parts.
class SplitModel {
public:
    SplitModel() {
        for (uint32_t i = 0; i < 3; ++i)
            write(nameOf(static_cast<int>(i) + 1), bytesOf({i, 3, 3, {}, {}}));
    }
    QString path(const QString& name) const { return m_folder.filePath(name); }
    void write(const QString& name, const std::string& bytes) const {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly)) qFatal("the test cannot write");
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    }
    QString sentence(const QString& name) const {
        return QString::fromStdString(GgufFile::open(path(name).toStdString()).sentence());
    }

private:
    QTemporaryDir m_folder;
};

} // namespace

class TestSplitFiles : public QObject {
    Q_OBJECT
private slots:
    void S01_anyPartOpensTheWhole();
    void S02_missingPart();
    void S02_unreadableParts();
    void S02_partOfAnotherModel();
    void S03_numbersThatDisagree_data();
    void S03_numbersThatDisagree();
    void S03_swappedParts();
    void S04_tensorsThatDoNotAddUp();
    void G01_S05_joinedParts();
    void G05_S05_rawPieces();
    void G04_S06_onePartOfOne();
    void S06_namesOfOtherWidths();
    void G02_secondPartFirst() { S01_anyPartOpensTheWhole(); }

private:
    bool says(const QString& sentence, const QString& words) {
        m_said = sentence;
        return sentence.contains(words);
    }
    QString m_said; // for the report of a failure
};

void TestSplitFiles::S01_anyPartOpensTheWhole() {
    const SplitModel model;
    for (int number = 1; number <= 3; ++number) {
        const auto file = GgufFile::open(model.path(nameOf(number)).toStdString());
        QVERIFY2(file.ok(), file.sentence().c_str());
        QCOMPARE(file->tensors().size(), size_t(3));
        QCOMPARE(file->parts().size(), size_t(3));
        QCOMPARE(file->stringValue("general.architecture")->value(), std::string("llama"));
        for (uint8_t i = 0; i < 3; ++i) {
            const auto* tensor = file->findTensor("tensor" + std::to_string(i));
            QVERIFY(tensor);
            QCOMPARE(file->data(*tensor).size(), size_t(32));
            QCOMPARE(file->data(*tensor)[31], uint8_t(i + 1));
        }
        QVERIFY(file->stillWhole());
        uint64_t bytes = 0;
        for (int i = 1; i <= 3; ++i)
            bytes += static_cast<uint64_t>(QFile(model.path(nameOf(i))).size());
        QCOMPARE(file->fileBytes(), bytes);
    }
}

void TestSplitFiles::S02_missingPart() {
    const SplitModel model;
    QVERIFY(QFile::remove(model.path(nameOf(2))));
    for (const int number : {1, 3}) {
        const QString sentence = model.sentence(nameOf(number));
        QVERIFY2(says(sentence, "Part 2 of 3"), qPrintable(m_said));
        QVERIFY2(says(sentence, nameOf(2)), qPrintable(m_said));
        QVERIFY2(says(sentence, "missing"), qPrintable(m_said));
    }
}

void TestSplitFiles::S02_unreadableParts() {
    const SplitModel model;
    const std::string good = bytesOf({1, 3, 3, {}, {}});
    for (const std::string& bytes : {std::string(), good.substr(0, good.size() - 1), std::string("<html></html>")}) {
        model.write(nameOf(2), bytes);
        const QString sentence = model.sentence(nameOf(1));
        QVERIFY2(says(sentence, "Part 2 of 3"), qPrintable(m_said));
        QVERIFY2(says(sentence, nameOf(2)), qPrintable(m_said));
    }
}

void TestSplitFiles::S02_partOfAnotherModel() {
    const SplitModel model;
    model.write(nameOf(2), bytesOf({1, 3, 3, {}, [](GgufWriter& w) { w.add("general.architecture", "qwen3"); }}));
    QVERIFY2(says(model.sentence(nameOf(1)), "Part 2 of 3"), qPrintable(m_said));
    QVERIFY2(says(model.sentence(nameOf(1)), "general.architecture"), qPrintable(m_said));
    model.write(nameOf(2), bytesOf({1, 4, 3, {}, {}}));
    QVERIFY2(says(model.sentence(nameOf(3)), "Part 2 of 3"), qPrintable(m_said));
    model.write(nameOf(2), [] {
        GgufWriter whole;
        whole.add("general.architecture", "llama");
        return whole.bytes();
    }());
    QVERIFY2(says(model.sentence(nameOf(1)), "does not say which part"), qPrintable(m_said));
}

void TestSplitFiles::S03_numbersThatDisagree_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* what, const QString& name, const Part& part, const char* says) {
        QTest::newRow(what) << name << QByteArray::fromStdString(bytesOf(part)) << QString(says);
    };
    row("name says another count", nameOf(1, 4), {0, 3, 3, {}, {}}, "split.count");
    row("name says another number", nameOf(1), {1, 3, 3, {}, {}}, "split.no");
    row("number beyond the count", nameOf(1), {7, 3, 3, {}, {}}, "split.no");
    row("count 0", nameOf(1), {0, 0, 3, {}, {}}, "split.count");
    row("count 65536", nameOf(1), {0, 65536, 3, {}, {}}, "split.count");
    row("no number in the name", "model.gguf", {0, 3, 3, {}, {}}, "-00001-of-00003.gguf");
    GgufWriter text, without;
    text.add("split.count", "3");
    without.add("split.count", uint32_t(3));
    QTest::newRow("count is a text") << nameOf(1) << QByteArray::fromStdString(text.bytes()) << "split.count";
    QTest::newRow("no number") << nameOf(1) << QByteArray::fromStdString(without.bytes()) << "split.no";
}

void TestSplitFiles::S03_numbersThatDisagree() {
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const SplitModel model;
    model.write(name, bytes.toStdString());
    QVERIFY2(this->says(model.sentence(name), says), qPrintable(m_said));
}

void TestSplitFiles::S03_swappedParts() {
    const SplitModel model;
    model.write(nameOf(2), bytesOf({2, 3, 3, {}, {}}));
    QVERIFY2(says(model.sentence(nameOf(1)), "Part 2 of 3"), qPrintable(m_said));
    QVERIFY2(says(model.sentence(nameOf(1)), "split.no"), qPrintable(m_said));
}

void TestSplitFiles::S04_tensorsThatDoNotAddUp() {
    const SplitModel model;
    model.write(nameOf(3), bytesOf({2, 3, 3, "tensor0", {}}));
    QVERIFY2(says(model.sentence(nameOf(1)), "\"tensor0\" stands in part 1 and in part 3"), qPrintable(m_said));
    model.write(nameOf(3), bytesOf({2, 3, 5, {}, {}}));
    QVERIFY2(says(model.sentence(nameOf(1)), "split.tensors.count"), qPrintable(m_said));
}

void TestSplitFiles::G01_S05_joinedParts() {
    const SplitModel model;
    model.write("joined.gguf", bytesOf({0, 3, 3, {}, {}}) + bytesOf({1, 3, 3, {}, {}}) + bytesOf({2, 3, 3, {}, {}}));
    QVERIFY2(says(model.sentence("joined.gguf"), "keep the parts"), qPrintable(m_said));
}

void TestSplitFiles::G05_S05_rawPieces() {
    const SplitModel model;
    const std::string whole = bytesOf({0, 1, 1, {}, {}});
    model.write("m.gguf.part1of2", whole.substr(0, whole.size() / 2));
    model.write("m.gguf.part2of2", whole.substr(whole.size() / 2));
    for (const char* name : {"m.gguf.part1of2", "m.gguf.part2of2"})
        QVERIFY2(says(model.sentence(name), "raw piece"), qPrintable(m_said));
}

void TestSplitFiles::G04_S06_onePartOfOne() {
    const SplitModel model;
    model.write(nameOf(1, 1), bytesOf({0, 1, 1, {}, {}}));
    QCOMPARE(model.sentence(nameOf(1, 1)), QString());
}

void TestSplitFiles::S06_namesOfOtherWidths() {
    const SplitModel model;
    for (uint32_t i = 0; i < 2; ++i)
        model.write(QString("Short-%1-of-2.GGUF").arg(i + 1), bytesOf({i, 2, 2, {}, {}}));
    QCOMPARE(model.sentence("Short-2-of-2.GGUF"), QString());
}

QTEST_APPLESS_MAIN(TestSplitFiles)
#include "test_split_files.moc"
