// Promises: a downloaded model is exactly the published one, and trouble on the way costs nothing but time.
#include "gui/hub/downloader.h"
#include "tests/gui/fake_hub.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace steelyard;
using namespace steelyard::guitest;

namespace {

constexpr int kPatienceMs = 60'000; // a hang, never a measurement

QByteArray model(int size = 300'000, char salt = 0) {
    QByteArray bytes("GGUF");
    quint32 state = 12345u + quint32(salt);
    while (bytes.size() < size) bytes.append(char((state = state * 1664525u + 1013904223u) >> 24));
    return bytes;
}

QByteArray readFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestDownloads : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeHub> m_hub;
    std::unique_ptr<Downloader> m_downloader;
    DownloaderOptions m_options;
    bool m_isMounted = false;

    void open() {
        m_options.folder = m_folder->path();
        m_downloader = std::make_unique<Downloader>(m_options);
    }
    quint64 start(const QString& address) {
        auto id = m_downloader->start(address);
        if (!id) qFatal("%s", id.sentence().c_str());
        return *id;
    }
    TransferState stateOf(quint64 id) const { return m_downloader->find(id)->progress.state; }
    TransferProgress waitForEnd(quint64 id) {
        const auto isAtEnd = [&] { return stateOf(id) == TransferState::Finished || stateOf(id) == TransferState::Failed; };
        if (!QTest::qWaitFor(isAtEnd, kPatienceMs)) qWarning("the download does not end");
        return m_downloader->find(id)->progress;
    }
    QStringList files() const { return QDir(m_folder->path()).entryList(QDir::Files, QDir::Name); }
    QString path(const QString& name) const { return m_folder->filePath(name); }

    // Fails with a sentence that says `part`, and leaves no model behind.
    void verifyFailure(const QString& address, const QString& part) {
        const TransferProgress end = waitForEnd(start(address));
        QCOMPARE(end.state, TransferState::Failed);
        QVERIFY2(end.sentence.contains(part), qPrintable(end.sentence));
        QVERIFY(!files().contains(QStringLiteral("x.gguf")));
    }

private slots:
    void init() {
        m_downloader.reset();
        m_folder = std::make_unique<QTemporaryDir>();
        m_hub = std::make_unique<FakeHub>();
        m_options = {};
        m_options.hub = m_hub->url();
        m_options.transfer.firstRetryMs = 1;
        m_options.transfer.retries = 3;
        open();
    }
    void cleanup() {
        m_downloader.reset();
        if (m_isMounted) QProcess::execute(QStringLiteral("umount"), {QStringLiteral("-l"), m_folder->path()});
        m_isMounted = false;
    }

    void theShortFormIsFetchedThroughTheHubsRedirect() {
        const QByteArray bytes = model();
        m_hub->on(QStringLiteral("/owner/name/resolve/main/x.gguf"), [&](const FakeRequest&) {
            return FakeAnswer{302, {{"Location", "/store/abc?sig=1"}, {"X-Linked-Etag", '"' + FakeHub::digestOf(bytes) + '"'},
                                    {"X-Linked-Size", QByteArray::number(bytes.size())}}, {}, -1, 0, false};
        });
        m_hub->on(QStringLiteral("/store/abc"), [&](const FakeRequest& r) { return FakeHub::file(r, bytes, "weak-tag"); });
        QSignalSpy finished(m_downloader.get(), &Downloader::finished);
        const TransferProgress end = waitForEnd(start(QStringLiteral("owner/name/x.gguf")));
        QVERIFY2(end.state == TransferState::Finished, qPrintable(end.sentence));
        QCOMPARE(end.path, path(QStringLiteral("x.gguf")));
        QCOMPARE(end.sha256.toLatin1(), FakeHub::digestOf(bytes));
        QVERIFY(end.verified);
        QCOMPARE(end.receivedBytes, qint64(bytes.size()));
        QCOMPARE(readFile(end.path), bytes);
        QCOMPARE(files(), QStringList{QStringLiteral("x.gguf")}); // no part, no side file
        QCOMPARE(finished.size(), 1);
        QVERIFY(!m_downloader->isBusy());
    }

    void aHashInTheEntityTagIsChecked() {
        const QByteArray bytes = model();
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) { return FakeHub::file(r, bytes, FakeHub::digestOf(bytes)); });
        QVERIFY(waitForEnd(start(m_hub->text(QStringLiteral("/x.gguf")))).verified);
    }

    void withoutAPublishedHashTheFileCountsAsUnverified() {
        const QByteArray bytes = model();
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) { return FakeHub::file(r, bytes, "v1"); });
        const TransferProgress end = waitForEnd(start(m_hub->text(QStringLiteral("/x.gguf"))));
        QCOMPARE(end.state, TransferState::Finished);
        QVERIFY(!end.verified);
    }

    void aWrongByteIsNotAccepted() {
        QByteArray bytes = model();
        const QByteArray digest = FakeHub::digestOf(bytes);
        bytes[1000] = char(bytes[1000] ^ 1);
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) { return FakeHub::file(r, bytes, digest); });
        verifyFailure(m_hub->text(QStringLiteral("/x.gguf")), QStringLiteral("SHA-256"));
        QVERIFY(files().isEmpty());
    }

    void aConnectionThatBreaksGoesOnByRange_data() {
        QTest::addColumn<int>("at");
        for (int at : {0, 3, 4, 1000, 150'000, 299'999}) QTest::addRow("%d bytes", at) << at;
    }
    void aConnectionThatBreaksGoesOnByRange() {
        QFETCH(int, at);
        const QByteArray bytes = model();
        int asked = 0;
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) {
            FakeAnswer answer = FakeHub::file(r, bytes, FakeHub::digestOf(bytes));
            if (++asked == 1) answer.closeAfter = at;
            return answer;
        });
        const TransferProgress end = waitForEnd(start(m_hub->text(QStringLiteral("/x.gguf"))));
        QVERIFY2(end.state == TransferState::Finished, qPrintable(end.sentence));
        QCOMPARE(readFile(end.path), bytes);
        QCOMPARE(m_hub->requests().last().hasRange(), at > 0);
        if (at > 0) QCOMPARE(m_hub->requests().last().rangeFrom(), qint64(at));
    }

    void aServerThatIgnoresRangesIsAskedForAll() {
        const QByteArray bytes = model();
        int asked = 0;
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest&) {
            FakeAnswer answer{200, {{"ETag", '"' + FakeHub::digestOf(bytes) + '"'}}, bytes, -1, 0, false};
            if (++asked == 1) {
                answer.closeAfter = 100'000;
                answer.headers.append({"Content-Length", QByteArray::number(bytes.size())});
            }
            return answer;
        });
        const TransferProgress end = waitForEnd(start(m_hub->text(QStringLiteral("/x.gguf"))));
        QVERIFY2(end.state == TransferState::Finished, qPrintable(end.sentence));
        QCOMPARE(readFile(end.path), bytes);
    }

    void aFileThatChangesMidwayIsFetchedAnew_data() {
        QTest::addColumn<bool>("honestRange"); // false: the server sends the rest of the new file although the tag differs
        QTest::newRow("If-Range is heeded") << true;
        QTest::newRow("If-Range is ignored") << false;
    }
    void aFileThatChangesMidwayIsFetchedAnew() {
        QFETCH(bool, honestRange);
        const QByteArray before = model(300'000, 1), after = model(300'000, 2);
        int asked = 0;
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& request) {
            FakeRequest r = request;
            if (++asked == 1) {
                FakeAnswer answer = FakeHub::file(r, before, FakeHub::digestOf(before));
                answer.closeAfter = 100'000;
                return answer;
            }
            if (!honestRange) r.headers.remove("if-range");
            return FakeHub::file(r, after, FakeHub::digestOf(after));
        });
        const TransferProgress end = waitForEnd(start(m_hub->text(QStringLiteral("/x.gguf"))));
        QVERIFY2(end.state == TransferState::Finished, qPrintable(end.sentence));
        QCOMPARE(readFile(end.path), after);
    }

    void aPausedDownloadGoesOnAfterARestart() {
        const QByteArray bytes = model();
        bool isSlow = true;
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) {
            FakeAnswer answer = FakeHub::file(r, bytes, FakeHub::digestOf(bytes));
            if (isSlow) {
                answer.headers.append({"Content-Length", QByteArray::number(bytes.size())});
                answer.body = bytes.left(120'000);
                answer.hang = true;
            }
            return answer;
        });
        const quint64 id = start(m_hub->text(QStringLiteral("/x.gguf")));
        QVERIFY(QTest::qWaitFor([&] { return m_downloader->find(id)->progress.receivedBytes == 120'000; }, kPatienceMs));
        m_downloader.reset(); // the program ends
        QCOMPARE(files(), (QStringList{"x.gguf.part", "x.gguf.part.json"}));
        isSlow = false;
        m_hub->clearRequests();
        open();
        QCOMPARE(m_downloader->downloads().size(), 1);
        const DownloadInfo listed = m_downloader->downloads().first();
        QCOMPARE(listed.progress.state, TransferState::Paused);
        QCOMPARE(listed.progress.receivedBytes, qint64(120'000));
        QCOMPARE(listed.progress.totalBytes, qint64(bytes.size()));
        QTest::qWait(50);
        QVERIFY(m_hub->requests().isEmpty()); // nothing starts by itself
        m_downloader->resume(listed.id);
        const TransferProgress end = waitForEnd(listed.id);
        QVERIFY2(end.state == TransferState::Finished, qPrintable(end.sentence));
        QVERIFY(end.verified); // the hash covers what was there before, too
        QCOMPARE(m_hub->requests().first().rangeFrom(), qint64(120'000));
        QCOMPARE(readFile(end.path), bytes);
    }

    void pauseKeepsAndResumeContinues() {
        const QByteArray bytes = model();
        bool isSlow = true;
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) {
            FakeAnswer answer = FakeHub::file(r, bytes, FakeHub::digestOf(bytes));
            if (isSlow) {
                answer.headers.append({"Content-Length", QByteArray::number(bytes.size())});
                answer.body = bytes.left(50'000);
                answer.hang = true;
            }
            return answer;
        });
        const quint64 id = start(m_hub->text(QStringLiteral("/x.gguf")));
        QVERIFY(QTest::qWaitFor([&] { return m_downloader->find(id)->progress.receivedBytes == 50'000; }, kPatienceMs));
        m_downloader->pause(id);
        QVERIFY(QTest::qWaitFor([&] { return stateOf(id) == TransferState::Paused; }, kPatienceMs));
        isSlow = false;
        QCOMPARE(start(m_hub->text(QStringLiteral("/x.gguf"))), id); // the same address goes on
        QCOMPARE(waitForEnd(id).state, TransferState::Finished);
    }

    void cancelLeavesNothing() {
        const QByteArray bytes = model();
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) {
            FakeAnswer answer = FakeHub::file(r, bytes, "v1");
            answer.headers.append({"Content-Length", QByteArray::number(bytes.size())});
            answer.body = bytes.left(50'000);
            answer.hang = true;
            return answer;
        });
        const quint64 id = start(m_hub->text(QStringLiteral("/x.gguf")));
        QVERIFY(QTest::qWaitFor([&] { return m_downloader->find(id)->progress.receivedBytes > 0; }, kPatienceMs));
        m_downloader->cancel(id);
        QVERIFY(m_downloader->downloads().isEmpty());
        QVERIFY(QTest::qWaitFor([&] { return files().isEmpty(); }, kPatienceMs));
    }

    void slowDripsArriveWhole() {
        const QByteArray bytes = model(60);
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) {
            FakeAnswer answer = FakeHub::file(r, bytes, FakeHub::digestOf(bytes));
            answer.dripMs = 1;
            return answer;
        });
        const TransferProgress end = waitForEnd(start(m_hub->text(QStringLiteral("/x.gguf"))));
        QVERIFY2(end.state == TransferState::Finished, qPrintable(end.sentence));
        QCOMPARE(readFile(end.path), bytes);
    }

    void aSilentServerIsLeftAndTriedAgain() {
        const QByteArray bytes = model();
        m_downloader.reset();
        m_options.transfer.stallMs = 300;
        open();
        int asked = 0;
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) {
            FakeAnswer answer = FakeHub::file(r, bytes, FakeHub::digestOf(bytes));
            if (++asked == 1) {
                answer.headers.append({"Content-Length", QByteArray::number(bytes.size())});
                answer.body = bytes.left(1000);
                answer.hang = true;
            }
            return answer;
        });
        const TransferProgress end = waitForEnd(start(m_hub->text(QStringLiteral("/x.gguf"))));
        QVERIFY2(end.state == TransferState::Finished, qPrintable(end.sentence));
        QVERIFY(asked >= 2);
        QCOMPARE(readFile(end.path), bytes);
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
        verifyFailure(m_hub->text(QStringLiteral("/x.gguf")), part);
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
        verifyFailure(m_hub->text(QStringLiteral("/x.gguf")), part);
        QCOMPARE(int(m_hub->requests().size()), requests);
    }

    void aBusyServerIsTriedAgain() {
        const QByteArray bytes = model();
        int asked = 0;
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) {
            return ++asked < 3 ? FakeAnswer{503, {}, "later", -1, 0, false} : FakeHub::file(r, bytes, FakeHub::digestOf(bytes));
        });
        QCOMPARE(waitForEnd(start(m_hub->text(QStringLiteral("/x.gguf")))).state, TransferState::Finished);
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
        verifyFailure(m_hub->text(QStringLiteral("/x.gguf")), part);
        QVERIFY(m_hub->requests().size() < 15);
    }

    void moreThanAnnouncedIsNotTaken() {
        const QByteArray bytes = model();
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) {
            FakeAnswer answer = FakeHub::file(r, bytes, "v1");
            answer.headers += qMakePair(QByteArray("X-Linked-Size"), QByteArray("1000"));
            return answer;
        });
        verifyFailure(m_hub->text(QStringLiteral("/x.gguf")), QStringLiteral("announces"));
    }

    void aServerThatKeepsClosingIsGivenUp() {
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) {
            FakeAnswer answer = FakeHub::file(r, model(), "v1");
            answer.closeAfter = 0;
            return answer;
        });
        verifyFailure(m_hub->text(QStringLiteral("/x.gguf")), QStringLiteral("tried 4 times"));
    }

    void nobodyListeningIsASentence() {
        const QString address = m_hub->text(QStringLiteral("/x.gguf"));
        m_hub->close();
        verifyFailure(address, QStringLiteral("does not answer"));
    }

    void spaceIsCheckedBeforeTheFirstByte() {
        m_downloader.reset();
        m_options.transfer.freeBytes = [](const QString&) { return qint64(100'000); };
        m_options.transfer.reserveBytes = 0;
        open();
        const QByteArray bytes = model();
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) { return FakeHub::file(r, bytes, "v1"); });
        verifyFailure(m_hub->text(QStringLiteral("/x.gguf")), QStringLiteral("not enough space"));
        QCOMPARE(QFileInfo(path(QStringLiteral("x.gguf.part"))).size(), qint64(0));
    }

    void aDiskThatFillsKeepsWhatIsThere() {
        QProcess mount;
        mount.start(QStringLiteral("mount"), {"-t", "tmpfs", "-o", "size=128k", "tmpfs", m_folder->path()});
        if (!mount.waitForFinished() || mount.exitCode() != 0) QSKIP("a small file system of its own is needed, and this user may not mount one");
        m_isMounted = true;
        m_downloader.reset();
        m_options.transfer.freeBytes = [](const QString&) { return qint64(1) << 40; }; // the system thought there was space
        open();
        const QByteArray bytes = model();
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) { return FakeHub::file(r, bytes, FakeHub::digestOf(bytes)); });
        const quint64 id = start(m_hub->text(QStringLiteral("/x.gguf")));
        TransferProgress end = waitForEnd(id);
        QProcess::execute(QStringLiteral("mount"), {"-o", "remount,size=8m", m_folder->path()});
        QVERIFY(end.state == TransferState::Failed);
        QVERIFY2(end.sentence.contains(QStringLiteral("full")), qPrintable(end.sentence));
        m_downloader->resume(id); // there is space again
        end = waitForEnd(id);
        const QByteArray arrived = readFile(end.path);
        QVERIFY2(end.state == TransferState::Finished, qPrintable(end.sentence));
        QCOMPARE(arrived, bytes);
    }

    void aLinkInTheWayIsNotFollowed() {
        QTemporaryDir elsewhere;
        const QString victim = elsewhere.filePath(QStringLiteral("victim"));
        QFile file(victim);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("precious");
        file.close();
        QVERIFY(QFile::link(victim, path(QStringLiteral("x.gguf"))));
        const QByteArray bytes = model();
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) { return FakeHub::file(r, bytes, "v1"); });
        const TransferProgress end = waitForEnd(start(m_hub->text(QStringLiteral("/x.gguf"))));
        QCOMPARE(end.path, path(QStringLiteral("x-2.gguf")));
        QCOMPARE(readFile(victim), QByteArray("precious"));
    }

    void twoOfOneNameGetTwoNames() {
        const QByteArray one = model(5000, 1), two = model(6000, 2);
        m_hub->on(QStringLiteral("/a/x.gguf"), [&](const FakeRequest& r) { return FakeHub::file(r, one, "v1"); });
        m_hub->on(QStringLiteral("/b/X.gguf"), [&](const FakeRequest& r) { return FakeHub::file(r, two, "v1"); });
        const quint64 a = start(m_hub->text(QStringLiteral("/a/x.gguf"))), b = start(m_hub->text(QStringLiteral("/b/X.gguf")));
        QCOMPARE(readFile(waitForEnd(a).path), one);
        QCOMPARE(readFile(waitForEnd(b).path), two);
        QCOMPARE(files().size(), 2);
    }

    void badAddressesMakeNoRequest() {
        for (const char* bad : {"\\\\host\\share\\x.gguf", "file:///etc/x.gguf", "owner/name", "o/../x/y.gguf"}) QVERIFY(!m_downloader->start(QString::fromLatin1(bad)).ok());
        QVERIFY(m_downloader->downloads().isEmpty());
        QVERIFY(m_hub->requests().isEmpty());
    }

    void noCookiesNorReferrersAreSent() {
        const QByteArray bytes = model();
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) {
            FakeAnswer answer = FakeHub::file(r, bytes, "v1");
            answer.headers += qMakePair(QByteArray("Set-Cookie"), QByteArray("id=1"));
            return answer;
        });
        waitForEnd(start(m_hub->text(QStringLiteral("/x.gguf"))));
        waitForEnd(start(m_hub->text(QStringLiteral("/x.gguf?again"))));
        for (const FakeRequest& request : m_hub->requests()) QVERIFY(!request.headers.contains("cookie") && !request.headers.contains("referer"));
    }
};

QTEST_GUILESS_MAIN(TestDownloads)
#include "test_downloads.moc"
