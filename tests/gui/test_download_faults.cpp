// Promises: what a server does wrong is a sentence, and no half or foreign file becomes a model.
#include "tests/gui/download_frame.h"

using namespace steelyard;
using namespace steelyard::guitest;

class TestDownloadFaults : public DownloadFrame {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { clear(); }

    void aWrongByteIsNotAccepted() {
        QByteArray bytes = model();
        const QByteArray digest = FakeHub::digestOf(bytes);
        bytes[1000] = char(bytes[1000] ^ 1);
        serve(bytes, digest);
        verifyFailure(QStringLiteral("SHA-256"));
        QVERIFY(files().isEmpty());
    }

    void whatIsNoModelIsNamed_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QString>("part");
        QTest::newRow("page by type") << QByteArray("x") << QByteArray("text/html; charset=utf-8") << "web page";
        QTest::newRow("page by text") << QByteArray("\n <!DOCTYPE html><html>") << QByteArray("application/octet-stream") << "web page";
        QTest::newRow("pointer") << QByteArray("version https://git-lfs.github.com/spec/v1\n") << QByteArray("text/plain") << "pointer";
        QTest::newRow("message") << QByteArray("{\"error\": \"no\"}") << QByteArray("application/json") << "message";
        QTest::newRow("archive") << QByteArray("PK\3\4aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") << QByteArray("application/zip") << "not a GGUF";
        QTest::newRow("old format") << QByteArray("ggjtaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") << QByteArray("application/octet-stream") << "not a GGUF";
        QTest::newRow("nothing") << QByteArray() << QByteArray("application/octet-stream") << "0 bytes";
        QTest::newRow("only the beginning") << QByteArray("GGUF") << QByteArray("application/octet-stream") << "4 bytes";
    }
    void whatIsNoModelIsNamed() {
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, type);
        QFETCH(QString, part);
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest&) { return FakeAnswer{200, {{"Content-Type", type}}, body, -1, 0, false}; });
        verifyFailure(part);
        QVERIFY(files().isEmpty());
    }

    void refusalsAreSentences_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("part");
        QTest::addColumn<int>("requests");
        QTest::newRow("401") << 401 << "signed-in" << 1;
        QTest::newRow("403") << 403 << "signed-in" << 1;
        QTest::newRow("404") << 404 << "no file" << 1;
        QTest::newRow("410") << 410 << "no file" << 1;
        QTest::newRow("400") << 400 << "refuses" << 1;
        QTest::newRow("429") << 429 << "busy" << 4;
        QTest::newRow("500") << 500 << "busy or broken" << 4;
        QTest::newRow("503") << 503 << "busy or broken" << 4;
    }
    void refusalsAreSentences() {
        QFETCH(int, status);
        QFETCH(QString, part);
        QFETCH(int, requests);
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest&) {
            return FakeAnswer{status, {{"Content-Type", "text/html"}, {"Retry-After", "0"}}, "<html>", -1, 0, false};
        });
        verifyFailure(part);
        QCOMPARE(int(m_hub->requests().size()), requests);
    }

    void aBusyServerIsTriedAgain() {
        const QByteArray bytes = model();
        int asked = 0;
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) {
            return ++asked < 3 ? FakeAnswer{503, {}, "later", -1, 0, false} : FakeHub::file(r, bytes, FakeHub::digestOf(bytes));
        });
        QCOMPARE(fetch().state, TransferState::Finished);
    }

    void circlesAndOddRedirectsEnd_data() {
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("part");
        QTest::newRow("circle") << QByteArray("/x.gguf") << "circle";
        QTest::newRow("long way") << QByteArray("+") << "circle";
        QTest::newRow("local file") << QByteArray("file:///etc/passwd") << "no address of the web";
        QTest::newRow("nothing") << QByteArray() << "circle";
        QTest::newRow("share") << QByteArray("smb://host/share") << "no address of the web";
    }
    void circlesAndOddRedirectsEnd() {
        QFETCH(QByteArray, to);
        QFETCH(QString, part);
        int hop = 0;
        const auto handler = [&](const FakeRequest&) {
            const QByteArray next = to == "+" ? "/x.gguf?" + QByteArray::number(++hop) : to;
            return FakeAnswer{302, {{"Location", next}}, {}, -1, 0, false};
        };
        m_hub->on(QStringLiteral("/x.gguf"), handler);
        verifyFailure(part);
        QVERIFY(m_hub->requests().size() < 15);
    }

    void moreThanAnnouncedIsNotTaken() {
        const QByteArray bytes = model();
        serve(bytes, "v1", [](FakeAnswer& answer, int) { answer.headers += qMakePair(QByteArray("X-Linked-Size"), QByteArray("1000")); });
        verifyFailure(QStringLiteral("announces"));
    }

    void aServerThatKeepsClosingIsGivenUp() {
        serve(model(), "v1", [](FakeAnswer& answer, int) { answer.closeAfter = 0; });
        verifyFailure(QStringLiteral("tried 4 times"));
    }

    void nobodyListeningIsASentence() {
        const QString before = address(); // a closed hub has none
        m_hub->close();
        verifyFailure(QStringLiteral("does not answer"), before);
    }

    void badAddressesMakeNoRequest() {
        for (const char* bad : {"\\\\host\\share\\x.gguf", "file:///etc/x.gguf", "owner/name", "o/../x/y.gguf"}) QVERIFY(!m_downloader->start(QString::fromLatin1(bad)).ok());
        QVERIFY(m_downloader->downloads().isEmpty());
        QVERIFY(m_hub->requests().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestDownloadFaults)
#include "test_download_faults.moc"
