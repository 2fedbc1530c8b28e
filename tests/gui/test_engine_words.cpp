// In a Russian window the engine's sentences are Russian: those of real failures, and all that the table knows.
#include "gui/engine_client/engine_port.h"
#include "gui/engine_client/engine_words.h"
#include "engine/tokenizer/tokenizer.h"
#include "tests/engine/loaded_engine.h"
#include "tests/engine/malformed_files.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

using namespace steelyard;

namespace {

const QString kTiny = QStringLiteral(STEELYARD_TEST_DATA "/architectures/llama-dense.gguf");
constexpr uint32_t kTextKey = 8, kNoSuchTensorType = 77;

} // namespace

class TestEngineWords : public QObject {
    Q_OBJECT

    QTranslator m_russian;
    QTemporaryDir m_folder;

    std::string put(const char* name, const std::string& bytes) {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), qint64(bytes.size())) != qint64(bytes.size())) qFatal("a test file cannot be written");
        return path.toStdString();
    }
    // Says it in Russian, with no Latin word but names: what stands in quotes, the given ones, and what has no other name.
    void verifyRussian(const std::string& sentence, const QStringList& names = {}) {
        QVERIFY(!sentence.empty());
        const QString words = inWords(sentence);
        QString rest = words;
        rest.remove(QRegularExpression(QStringLiteral("«[^»]*»")));
        for (const QString& name : names) rest.remove(name);
        static const QRegularExpression kLatin(QStringLiteral("[A-Za-z]{2,}"));
        QStringList latin;
        for (auto all = kLatin.globalMatch(rest); all.hasNext();) latin += all.next().captured();
        for (const char* name : {"GGUF", "CUDA", "NVIDIA", "Vulkan", "cpu", "KV"}) latin.removeAll(QLatin1String(name));
        QVERIFY2(latin.isEmpty(), qPrintable(latin.join(u' ') + QStringLiteral(" in: ") + words));
        QVERIFY2(words.contains(QRegularExpression(QStringLiteral("[а-я]"))), qPrintable(words));
    }
    std::string refusalOf(const std::string& path) {
        const auto summary = Engine::inspect(path);
        return summary ? summary->refusal : summary.sentence();
    }

private slots:
    void initTestCase() {
        QVERIFY(m_russian.load(QStringLiteral(":/i18n/steelyard_ru")));
        QLocale::setDefault(QLocale(QLocale::Russian));
        QVERIFY(QCoreApplication::installTranslator(&m_russian));
    }

    void filesThatCannotBeUsed() {
        verifyRussian(refusalOf(put("note.gguf", "hello, this is no model at all")));
        verifyRussian(refusalOf(put("page.gguf", "<!DOCTYPE html><html></html>")));
        verifyRussian(refusalOf(put("empty.gguf", "")), {m_folder.path(), "empty.gguf"});
        QFile whole(kTiny);
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const std::string bytes = whole.readAll().toStdString();
        for (const size_t part : {bytes.size() / 200, bytes.size() / 10, bytes.size() / 2, bytes.size() - 1})
            verifyRussian(refusalOf(put("cut.gguf", bytes.substr(0, part))), {"Token", "tokenizer"});
        verifyRussian(refusalOf(put("new.gguf", RawBytes().header(0, 1).key("general.architecture", kTextKey).text("mamba9").padTo(32).bytes)));
        verifyRussian(refusalOf(put("type.gguf", RawBytes().header(1, 1).key("general.architecture", kTextKey).text("llama").tensor("a.weight", kNoSuchTensorType, 0, 32).padTo(32).zeros(64).bytes)));
        verifyRussian(refusalOf(m_folder.filePath("missing.gguf").toStdString()), {m_folder.path(), "missing.gguf"});
        verifyRussian(refusalOf(m_folder.path().toStdString()), {m_folder.path()});
    }

    // All that the lists of malformed files can be told, but for what a template says of itself.
    void malformedFiles() {
        QStringList missing;
        const auto check = [&](const MalformedFile& file, const std::string& sentence) {
            if (sentence.empty()) return;
            QString rest = inWords(sentence);
            if (rest == QString::fromStdString(sentence)) missing += QString::fromStdString(file.name + ": " + sentence).left(200);
            static const QRegularExpression kNames(QStringLiteral("«[^»]*»|\\b[a-z0-9_-]+(\\.[a-z0-9_-]+)+|\\bx+\\b|<0x..>"));
            static const QRegularExpression kLatin(QStringLiteral("[A-Za-z]{3,}"));
            rest.remove(kNames);
            for (const char* name : {"GGUF", "Whisper", "LoRA", "mmproj", "JSON", "PyTorch", "Git LFS", "SafeTensors", "GGML", "ZIP", "gzip", "nan"}) rest.remove(QLatin1String(name));
            if (rest.contains(kLatin)) missing += QString::fromStdString(file.name + ": ") + inWords(sentence).left(200);
        };
        for (const MalformedFile& file : malformedHeads()) check(file, GgufFile::parse({reinterpret_cast<const uint8_t*>(file.bytes.data()), file.bytes.size()}, file.bytes.size()).sentence());
        for (const MalformedFile& file : malformedModels()) check(file, refusalOf(put("model.gguf", file.bytes)));
        for (const MalformedFile& file : malformedVocabularies()) {
            const auto parsed = GgufFile::parse({reinterpret_cast<const uint8_t*>(file.bytes.data()), file.bytes.size()}, file.bytes.size());
            if (parsed) check(file, Tokenizer::fromFile(*parsed).sentence());
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
    }

    void loadsThatFail() {
        LoadedEngine engine;
        verifyRussian(engine.load(put("note.gguf", "hello, this is no model at all"), "cpu"));
        verifyRussian("The model needs 9.7 GB and cpu has 7.9 GB free: 1.8 GB short. A context of 2048 tokens would fit.");
        verifyRussian("The model needs 9.7 GB and cpu has 820 MB free: 1.8 GB short. Choose a smaller quantization or close other programs.");
        for (const DeviceInfo& device : listDevices()) {
            if (!device.reason.empty()) verifyRussian(device.reason, {QString::fromStdString(device.name)});
            if (!device.usable) verifyRussian(engine.load(kTiny.toStdString(), device.id), {QString::fromStdString(device.name)});
        }
    }

    void repliesThatEnd() {
        LoadedEngine engine;
        QCOMPARE(engine.load(kTiny.toStdString(), "cpu", TensorType::F16, 64), std::string());
        const auto full = engine.generate(engine.request(idsPrompt(std::vector<int32_t>(40, 5)), -1));
        QCOMPARE(full.end.reason, StopReason::ContextFull);
        verifyRussian(full.end.sentence);
        const auto tooLong = engine.generate(engine.request(idsPrompt(std::vector<int32_t>(65, 5)), 4));
        verifyRussian(tooLong.end.sentence);
        verifyRussian(tooLong.end.statistics.reuseReason);
        for (const std::string& notice : engine.facts.notices) verifyRussian(notice);
    }

    void guessesThatCannotBeMade() {
        verifyRussian("Guessing ahead does not work with this model: its recurrent layers cannot take tokens back.");
        verifyRussian("The draft model is not used: its vocabulary differs from the model's: token 12 is another one.");
        verifyRussian("The draft model is not used: a model with recurrent layers or a diffusion model cannot take guesses back.");
        verifyRussian("The draft model is not used: The model needs 9.7 GB and cpu has 820 MB free: 1.8 GB short. Choose a smaller quantization or close other programs.");
    }

    void whyAPromptIsReadAgain() {
        for (const char* reason : {"first turn", "edited message", "template dropped reasoning", "date in system prompt", "window moved", "model reloaded",
                                   "evicted", "recurrent state", "rope factors"})
            verifyRussian(reason, {"RoPE"});
    }

    void chatsThatCannotBeKept() {
        verifyRussian("The folder /data/steelyard cannot be written. The chats are shown, but nothing new will be kept.", {"/data/steelyard"});
        verifyRussian("Another Steelyard (process 12 on host) has the chats open. You can chat, but nothing will be kept.", {"Steelyard", "host"});
        verifyRussian("The file of the chats is damaged. The file was left as it is: /data/steelyard.db. You can chat, but nothing will be kept.", {"/data/steelyard.db"});
    }

    void amountsFollowTheLanguage() {
        QCOMPARE(inWords(std::string("1.8 GB")), QStringLiteral("1,8 ГБ"));
        QCOMPARE(inWords(std::string("The context of 4096 tokens is full.")), QStringLiteral("Контекст в %1 токенов заполнен.").arg(QLocale().toString(4096)));
    }

    void devicesAreNamedWithoutTheirMarks() {
        QCOMPARE(shownDeviceName("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz"), QStringLiteral("Intel Xeon E5-2680 v4"));
        QCOMPARE(shownDeviceName("NVIDIA GeForce RTX 4070"), QStringLiteral("NVIDIA GeForce RTX 4070"));
    }

    void severalSentencesAreSaidOneByOne() {
        const QString both = inWords(std::string("The device \"vulkan\" cannot be used. Vulkan is installed, but no driver offers a device."));
        QCOMPARE(both, QStringLiteral("Устройство «vulkan» использовать нельзя. Vulkan установлен, но ни один драйвер не даёт устройства."));
    }

    void whatIsUnknownStaysAsItIs() {
        QCOMPARE(inWords(std::string("Something quite new. And more.")), QStringLiteral("Something quite new. And more."));
        QCOMPARE(inWords(std::string()), QString());
    }

    void everyRowIsRussian() {
        for (const QString& row : engineSentences()) {
            const QString words = QCoreApplication::translate("EngineWords", row.toUtf8().constData());
            QVERIFY2(words != row && words.contains(QRegularExpression(QStringLiteral("[А-Яа-я]"))), qPrintable(row));
        }
    }

    // Rows that the engine no longer says help nobody: their fixed parts stand in the engine's sources.
    void everyRowIsOfTheEngine() {
        QString sources;
        QDir engine(QStringLiteral(STEELYARD_TREE "/engine"));
        QStringList folders{engine.path()};
        while (!folders.isEmpty()) {
            const QDir folder(folders.takeLast());
            for (const QFileInfo& entry : folder.entryInfoList({}, QDir::AllDirs | QDir::Files | QDir::NoDotAndDotDot)) {
                if (entry.isDir()) folders += entry.filePath();
                QFile file(entry.filePath());
                if (entry.isFile() && file.open(QIODevice::ReadOnly)) sources += QString::fromUtf8(file.readAll());
            }
        }
        sources.remove(QRegularExpression(QStringLiteral("\"\\s*\\+?\\s*\\n\\s*\""))); // one text over two lines
        sources.replace(QStringLiteral("\\\""), QStringLiteral("\""));
        QStringList gone;
        static const QStringList kOfTheSystem{"No such file or directory", "Permission denied", "Input/output error", "Cannot allocate memory"};
        for (const QString& row : engineSentences()) {
            if (row.size() <= 8 || kOfTheSystem.contains(row) || row.startsWith(QLatin1String("No model is loaded"))) continue;
            for (const QString& part : row.split(QRegularExpression(QStringLiteral("\"?%[1-5]\"?|[.:;,]"))))
                if (part.trimmed().size() > 8 && !sources.contains(part.trimmed())) gone += row;
        }
        gone.removeDuplicates();
        QVERIFY2(gone.isEmpty(), qPrintable("the engine does not say this any more; take it out of engine_words.cpp:\n" + gone.join(u'\n')));
    }
};

QTEST_GUILESS_MAIN(TestEngineWords)
#include "test_engine_words.moc"
