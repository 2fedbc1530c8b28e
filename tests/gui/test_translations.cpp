// The Russian window is whole: every text of the sources is translated, with its places for numbers and all its plural forms.

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <QXmlStreamReader>

namespace {

struct Message {
    QString context, source, state;
    QStringList texts;
    bool plural = false;
};

QVector<Message> read(const QString& path) {
    QVector<Message> messages;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return messages;
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        const QString name = xml.name().toString();
        if (name == "name") context = xml.readElementText();
        if (name == "message") messages << Message{context, {}, {}, {}, xml.attributes().value("numerus") == QLatin1String("yes")};
        if (name == "source") messages.last().source = xml.readElementText();
        if (name == "numerusform") messages.last().texts << xml.readElementText();
        if (name == "translation") {
            messages.last().state = xml.attributes().value("type").toString();
            if (!messages.last().plural) messages.last().texts << xml.readElementText();
        }
    }
    return messages;
}

QStringList placesIn(const QString& text) {
    static const QRegularExpression kPlace("%L?(\\d|n)");
    QStringList places;
    auto all = kPlace.globalMatch(text);
    while (all.hasNext()) places << all.next().captured(1);
    places.sort();
    places.removeDuplicates();
    return places;
}

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT

private slots:
    void everyTextIsTranslated_data();
    void everyTextIsTranslated();
    void noTextOfTheSourcesIsMissing();
    void placesForNumbersAreKept();
    void fileIsBuiltIn();

private:
    QString m_folder = STEELYARD_TREE "/resources/i18n/";
};

void TestTranslations::everyTextIsTranslated_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("forms");
    QTest::newRow("ru") << "steelyard_ru.ts" << 3;
    QTest::newRow("en") << "steelyard_en.ts" << 2;
}

void TestTranslations::everyTextIsTranslated() {
    QFETCH(QString, file);
    QFETCH(int, forms);
    const auto messages = read(m_folder + file);
    QVERIFY(!messages.isEmpty());
    QStringList wrong;
    for (const Message& message : messages) {
        const bool whole = message.state.isEmpty() && !message.texts.contains(QString()) && message.texts.size() == (message.plural ? forms : 1);
        if (!whole) wrong << message.context + ": " + message.source;
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
}

// Gathers the texts anew into a copy and looks for ones that the file does not have.
void TestTranslations::noTextOfTheSourcesIsMissing() {
    QTemporaryDir folder;
    const QString copy = folder.filePath("steelyard_ru.ts");
    QVERIFY(QFile::copy(m_folder + "steelyard_ru.ts", copy));
    QFile(copy).setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    QProcess lupdate;
    lupdate.start(STEELYARD_LUPDATE, {"-silent", "-locations", "none", "-no-obsolete", "-I", STEELYARD_TREE, STEELYARD_TREE "/gui", "-ts", copy});
    QVERIFY2(lupdate.waitForFinished(300000) && lupdate.exitCode() == 0, lupdate.readAllStandardError().constData());
    QStringList missing;
    for (const Message& message : read(copy))
        if (!message.state.isEmpty()) missing << message.context + ": " + message.source;
    QVERIFY2(missing.isEmpty(), qPrintable("Build steelyard_lupdate and translate:\n" + missing.join('\n')));
}

void TestTranslations::placesForNumbersAreKept() {
    QStringList wrong;
    for (const Message& message : read(m_folder + "steelyard_ru.ts"))
        for (const QString& text : message.texts)
            if (placesIn(text) != placesIn(message.source)) wrong << message.source + " -> " + text;
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
}

void TestTranslations::fileIsBuiltIn() {
    QTranslator translator;
    QVERIFY(translator.load(":/i18n/steelyard_ru"));
    QCOMPARE(translator.translate("Pages", "Library"), QStringLiteral("Библиотека"));
    QVERIFY(QTranslator().load(":/i18n/steelyard_en"));
}

QTEST_GUILESS_MAIN(TestTranslations)
#include "test_translations.moc"
