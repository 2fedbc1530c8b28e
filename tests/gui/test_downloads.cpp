// Promises: a downloaded model is exactly the published one, and trouble on the way costs nothing but time.
#include "tests/gui/download_frame.h"

#include <QSignalSpy>

using namespace steelyard;
using namespace steelyard::guitest;

class TestDownloads : public DownloadFrame {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { clear(); }

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
        servePublished(bytes);
        QVERIFY(fetch().verified);
    }

    void withoutAPublishedHashTheFileCountsAsUnverified() {
        const QByteArray bytes = model();
        serve(bytes, "v1");
        const TransferProgress end = fetch();
        QCOMPARE(end.state, TransferState::Finished);
        QVERIFY(!end.verified);
    }

    void aConnectionThatBreaksGoesOnByRange_data() {
        QTest::addColumn<int>("at");
        for (int at : {0, 3, 4, 1000, 150'000, 299'999}) QTest::addRow("%d bytes", at) << at;
    }
    void aConnectionThatBreaksGoesOnByRange() {
        QFETCH(int, at);
        const QByteArray bytes = model();
        servePublished(bytes, [at](FakeAnswer& answer, int number) {
            if (number == 1) answer.closeAfter = at;
        });
        verifyArrival(bytes);
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
        verifyArrival(bytes);
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
        const TransferProgress end = fetch();
        QVERIFY2(end.state == TransferState::Finished, qPrintable(end.sentence));
        QCOMPARE(readFile(end.path), after);
    }

    void aPausedDownloadGoesOnAfterARestart() {
        const QByteArray bytes = model();
        bool isSlow = true;
        servePublished(bytes, [&](FakeAnswer& answer, int) {
            if (isSlow) hangAfter(answer, bytes, 120'000);
        });
        const quint64 id = start(address());
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
        servePublished(bytes, [&](FakeAnswer& answer, int) {
            if (isSlow) hangAfter(answer, bytes, 50'000);
        });
        const quint64 id = start(address());
        QVERIFY(QTest::qWaitFor([&] { return m_downloader->find(id)->progress.receivedBytes == 50'000; }, kPatienceMs));
        m_downloader->pause(id);
        QVERIFY(QTest::qWaitFor([&] { return stateOf(id) == TransferState::Paused; }, kPatienceMs));
        isSlow = false;
        QCOMPARE(start(address()), id); // the same address goes on
        QCOMPARE(waitForEnd(id).state, TransferState::Finished);
    }

    void cancelLeavesNothing() {
        const QByteArray bytes = model();
        serve(bytes, "v1", [&](FakeAnswer& answer, int) { hangAfter(answer, bytes, 50'000); });
        const quint64 id = start(address());
        QVERIFY(QTest::qWaitFor([&] { return m_downloader->find(id)->progress.receivedBytes > 0; }, kPatienceMs));
        m_downloader->cancel(id);
        QVERIFY(m_downloader->downloads().isEmpty());
        QVERIFY(QTest::qWaitFor([&] { return files().isEmpty(); }, kPatienceMs));
    }

    void slowDripsArriveWhole() {
        const QByteArray bytes = model(60);
        servePublished(bytes, [](FakeAnswer& answer, int) { answer.dripMs = 1; });
        verifyArrival(bytes);
    }

    void aSilentServerIsLeftAndTriedAgain() {
        const QByteArray bytes = model();
        m_downloader.reset();
        m_options.transfer.stallMs = 300;
        open();
        int asked = 0;
        servePublished(bytes, [&](FakeAnswer& answer, int number) {
            asked = number;
            if (number == 1) hangAfter(answer, bytes, 1000);
        });
        const TransferProgress end = fetch();
        QVERIFY2(end.state == TransferState::Finished, qPrintable(end.sentence));
        QVERIFY(asked >= 2);
        QCOMPARE(readFile(end.path), bytes);
    }

    void spaceIsCheckedBeforeTheFirstByte() {
        m_downloader.reset();
        m_options.transfer.freeBytes = [](const QString&) { return qint64(100'000); };
        m_options.transfer.reserveBytes = 0;
        open();
        const QByteArray bytes = model();
        serve(bytes, "v1");
        verifyFailure(QStringLiteral("not enough space"));
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
        servePublished(bytes);
        const quint64 id = start(address());
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
        serve(bytes, "v1");
        const TransferProgress end = fetch();
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

    void noCookiesNorReferrersAreSent() {
        const QByteArray bytes = model();
        serve(bytes, "v1", [](FakeAnswer& answer, int) { answer.headers += qMakePair(QByteArray("Set-Cookie"), QByteArray("id=1")); });
        fetch();
        waitForEnd(start(m_hub->text(QStringLiteral("/x.gguf?again"))));
        for (const FakeRequest& request : m_hub->requests()) QVERIFY(!request.headers.contains("cookie") && !request.headers.contains("referer"));
    }
};

QTEST_GUILESS_MAIN(TestDownloads)
#include "test_downloads.moc"
