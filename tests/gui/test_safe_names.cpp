// Promise: names from the network are stored inside the models' folder only, whatever they say.
#include "gui/hub/hub_address.h"
#include "gui/hub/safe_name.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace steelyard;

namespace {

struct Case {
    QString remote;
    QString stored; // empty = refused
};

QVector<Case> cases() {
    const QString longName = QString(300, u'a');
    return {
        // --- ordinary
        {QStringLiteral("model-Q4_K_M.gguf"), QStringLiteral("model-Q4_K_M.gguf")},
        {QStringLiteral("Model (v2) [x] + 1,5.gguf"), QStringLiteral("Model (v2) [x] + 1,5.gguf")},
        {QStringLiteral("Модель.gguf"), QStringLiteral("Модель.gguf")},
        {QStringLiteral("模型.GGUF"), QStringLiteral("模型.gguf")},
        {QStringLiteral("cafe\u0301.gguf"), QStringLiteral("caf\u00e9.gguf")},
        {QStringLiteral("-rf.gguf"), QStringLiteral("-rf.gguf")},
        // --- out of the folder
        {QStringLiteral("../x.gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral("../../../../etc/x.gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral("..\\x.gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral("..\\..\\x.gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral("a/../../x.gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral("/etc/passwd.gguf"), QStringLiteral("passwd.gguf")},
        {QStringLiteral("\\x.gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral("C:\\x.gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral("C:/x.gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral("C:x.gguf"), QStringLiteral("C_x.gguf")},
        {QStringLiteral("\\\\host\\share\\x.gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral("//host/share/x.gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral("\\\\?\\C:\\x.gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral("\\\\.\\pipe\\x.gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral("sha256:../../x.gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral("x.gguf:stream"), QStringLiteral("x.gguf_stream.gguf")},
        {QStringLiteral("x.gguf::$DATA"), QStringLiteral("x.gguf__$DATA.gguf")},
        {QStringLiteral("~/x.gguf"), QStringLiteral("x.gguf")},
        // --- nothing left
        {QString(), QString()},
        {QStringLiteral("."), QString()},
        {QStringLiteral(".."), QString()},
        {QStringLiteral("..."), QString()},
        {QStringLiteral("/"), QString()},
        {QStringLiteral("\\"), QString()},
        {QStringLiteral(" "), QString()},
        {QStringLiteral(".gguf"), QString()},
        {QStringLiteral("..gguf"), QString()},
        {QStringLiteral("a/.."), QString()},
        {QStringLiteral("???.gguf"), QString()},
        {QStringLiteral("\u202e.gguf"), QString()},
        // --- characters
        {QStringLiteral("a") + QChar(0) + QStringLiteral("b.gguf"), QStringLiteral("a_b.gguf")},
        {QStringLiteral("a\nb.gguf"), QStringLiteral("a_b.gguf")},
        {QStringLiteral("a\tb.gguf"), QStringLiteral("a_b.gguf")},
        {QStringLiteral("a\u007fb.gguf"), QStringLiteral("a_b.gguf")},
        {QStringLiteral("a\u0085b.gguf"), QStringLiteral("a_b.gguf")},
        {QStringLiteral("a\u202efugg.gguf"), QStringLiteral("a_fugg.gguf")},
        {QStringLiteral("a\u200bb.gguf"), QStringLiteral("a_b.gguf")},
        {QStringLiteral("a\u2028b.gguf"), QStringLiteral("a_b.gguf")},
        {QStringLiteral("a") + QChar(0xd800) + QStringLiteral("b.gguf"), QStringLiteral("a\ufffdb.gguf")},
        {QStringLiteral("a<b>c|d?e*f\"g.gguf"), QStringLiteral("a_b_c_d_e_f_g.gguf")},
        {QStringLiteral("$(reboot)`x`;&.gguf"), QStringLiteral("$(reboot)`x`;&.gguf")},
        // --- ends
        {QStringLiteral("x.gguf."), QStringLiteral("x.gguf")},
        {QStringLiteral("x.gguf "), QStringLiteral("x.gguf")},
        {QStringLiteral("x.gguf. . ."), QStringLiteral("x.gguf")},
        {QStringLiteral("  x .gguf"), QStringLiteral("x.gguf")},
        {QStringLiteral(".hidden.gguf"), QStringLiteral("hidden.gguf")},
        {QStringLiteral("x.part"), QStringLiteral("x.part.gguf")},
        {QStringLiteral("x.exe"), QStringLiteral("x.exe.gguf")},
        // --- devices
        {QStringLiteral("CON"), QStringLiteral("_CON.gguf")},
        {QStringLiteral("con.gguf"), QStringLiteral("_con.gguf")},
        {QStringLiteral("NUL.tar.gguf"), QStringLiteral("_NUL.tar.gguf")},
        {QStringLiteral("aux .gguf"), QStringLiteral("_aux.gguf")},
        {QStringLiteral("COM1.gguf"), QStringLiteral("_COM1.gguf")},
        {QStringLiteral("lpt\u00b9.gguf"), QStringLiteral("_lpt\u00b9.gguf")},
        {QStringLiteral("CONIN$.gguf"), QStringLiteral("_CONIN$.gguf")},
        {QStringLiteral("COM10.gguf"), QStringLiteral("COM10.gguf")},
        {QStringLiteral("console.gguf"), QStringLiteral("console.gguf")},
        // --- length
        {longName + QStringLiteral(".gguf"), QString(175, u'a') + QStringLiteral(".gguf")},
        {QString(300, QChar(0x42f)) + QStringLiteral(".gguf"), QString(87, QChar(0x42f)) + QStringLiteral(".gguf")},
        {QString::fromUtf8("\U0001F600").repeated(100) + QStringLiteral(".gguf"), QString::fromUtf8("\U0001F600").repeated(43) + QStringLiteral(".gguf")},
    };
}

// One component by the rules of POSIX and Windows.
bool isSafeEverywhere(const QString& name) {
    static const QRegularExpression kForbidden(QStringLiteral("[<>:\"/\\\\|?*\\x{0}-\\x{1f}\\x{7f}]"));
    static const QRegularExpression kDevice(QStringLiteral("^(CON|PRN|AUX|NUL|COM[0-9\u00b9\u00b2\u00b3]|LPT[0-9\u00b9\u00b2\u00b3]|CONIN\\$|CONOUT\\$)\\s*(\\.|$)"),
                                            QRegularExpression::CaseInsensitiveOption);
    return !name.contains(kForbidden) && !kDevice.match(name).hasMatch() && name.toUtf8().size() <= 180 && !name.startsWith(u'.') &&
           !name.endsWith(u'.') && !name.endsWith(u' ') && name.endsWith(QStringLiteral(".gguf"));
}

} // namespace

class TestSafeNames : public QObject {
    Q_OBJECT

private slots:
    void everyNameIsStoredSafelyOrRefused_data() {
        QTest::addColumn<QString>("remote");
        QTest::addColumn<QString>("stored");
        int number = 0;
        for (const Case& c : cases()) QTest::addRow("%d", ++number) << c.remote << c.stored;
        QVERIFY(number >= 60);
    }
    void everyNameIsStoredSafelyOrRefused() {
        QFETCH(QString, remote);
        QFETCH(QString, stored);
        const auto name = safeFileName(remote);
        QCOMPARE(name.ok() ? *name : QString(), stored);
        if (!name) {
            QVERIFY(!name.sentence().empty());
            return;
        }
        QVERIFY2(isSafeEverywhere(*name), qPrintable(*name));
        QTemporaryDir folder;
        QFile file(QDir(folder.path()).filePath(*name + QStringLiteral(".part.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(QFileInfo(file).canonicalPath(), QFileInfo(folder.path()).canonicalFilePath());
    }

    void aNameInUseIsNumbered() {
        QTemporaryDir folder;
        const auto put = [&](const QString& name) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
        };
        QCOMPARE(freeFileName(folder.path(), QStringLiteral("x.gguf")), QStringLiteral("x.gguf"));
        put(QStringLiteral("X.GGUF")); // another case is the same file elsewhere
        QCOMPARE(freeFileName(folder.path(), QStringLiteral("x.gguf")), QStringLiteral("x-2.gguf"));
        put(QStringLiteral("x-2.gguf.part"));
        QCOMPARE(freeFileName(folder.path(), QStringLiteral("x.gguf")), QStringLiteral("x-3.gguf"));
        QVERIFY(QFile::link(QStringLiteral("/nowhere/at/all"), folder.filePath(QStringLiteral("x-3.gguf")))); // a dangling link counts
        QCOMPARE(freeFileName(folder.path(), QStringLiteral("x.gguf")), QStringLiteral("x-4.gguf"));
    }

    void addressesBecomeFilesOrSentences_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("url"); // empty = refused
        QTest::addColumn<QString>("name");
        const QString hub = QStringLiteral("https://hub.example");
        const auto row = [](const char* what, const QString& text, const QString& url, const QString& name) { QTest::newRow(what) << text << url << name; };
        row("short form", QStringLiteral("owner/name/x.gguf"), hub + QStringLiteral("/owner/name/resolve/main/x.gguf"), QStringLiteral("x.gguf"));
        row("short form in a folder", QStringLiteral("owner/na.me/Q4/x.gguf"), hub + QStringLiteral("/owner/na.me/resolve/main/Q4/x.gguf"), QStringLiteral("x.gguf"));
        row("file", QStringLiteral(" https://hub.example/o/n/resolve/main/x.gguf?download=true\n"), hub + QStringLiteral("/o/n/resolve/main/x.gguf?download=true"), QStringLiteral("x.gguf"));
        row("page of a file", QStringLiteral("https://huggingface.co/o/n/blob/main/x.gguf"), QStringLiteral("https://huggingface.co/o/n/resolve/main/x.gguf"), QStringLiteral("x.gguf"));
        row("without scheme", QStringLiteral("hf.co/o/n/blob/main/x.gguf"), QStringLiteral("https://hf.co/o/n/resolve/main/x.gguf"), QStringLiteral("x.gguf"));
        row("elsewhere", QStringLiteral("https://example.org/models/x.gguf"), QStringLiteral("https://example.org/models/x.gguf"), QStringLiteral("x.gguf"));
        row("in brackets", QStringLiteral("<https://example.org/x.gguf>"), QStringLiteral("https://example.org/x.gguf"), QStringLiteral("x.gguf"));
        row("encoded separators", QStringLiteral("https://example.org/..%5C..%5Cx.gguf"), QStringLiteral("https://example.org/..%5C..%5Cx.gguf"), QStringLiteral("x.gguf"));
        row("one of one", QStringLiteral("o/n/x-00001-of-00001.gguf"), hub + QStringLiteral("/o/n/resolve/main/x-00001-of-00001.gguf"), QStringLiteral("x-00001-of-00001.gguf"));
        for (const char* bad : {"", "owner/name", "owner", "https://hub.example/o/n", "https://hub.example/o/n/tree/main", "o/../n/x.gguf", "o/n/../x.gguf",
                                "//host/share/x.gguf", "\\\\host\\share\\x.gguf", "file:///etc/x.gguf", "C:\\x.gguf", "/home/x.gguf", "~/x.gguf", "./x.gguf",
                                "ftp://example.org/x.gguf", "javascript:alert(1)//x.gguf", "https:///x.gguf", "https://user:pw@example.org/x.gguf",
                                "https://example.org/x.safetensors", "o/n/x-00001-of-00003.gguf", "two words/n/x.gguf", "https://example.org/x.gguf\u202e",
                                "data:text/plain,x.gguf", "o/n/..gguf"})
            row(bad, QString::fromUtf8(bad), QString(), QString());
    }
    void addressesBecomeFilesOrSentences() {
        QFETCH(QString, text);
        QFETCH(QString, url);
        QFETCH(QString, name);
        const auto address = readModelAddress(text, QUrl(QStringLiteral("https://hub.example")));
        if (url.isEmpty()) {
            QVERIFY2(!address.ok(), address.ok() ? qPrintable(address->url.toString()) : "");
            QVERIFY(!address.sentence().empty());
            return;
        }
        QVERIFY2(address.ok(), address.sentence().c_str());
        QCOMPARE(address->url.toString(QUrl::FullyEncoded), url);
        QCOMPARE(address->fileName, name);
        QVERIFY(!address->label.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestSafeNames)
#include "test_safe_names.moc"
