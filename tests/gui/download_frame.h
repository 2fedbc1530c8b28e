// What the tests of downloads share: a folder, a fake hub and a downloader between them.
//
// Invariant: each test has its own three. Knows nothing of what is tested.
#pragma once

#include "gui/hub/downloader.h"
#include "tests/gui/fake_hub.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <memory>

namespace steelyard::guitest {

constexpr int kPatienceMs = 60'000; // a hang, never a measurement

inline QByteArray model(int size = 300'000, char salt = 0) {
    QByteArray bytes("GGUF");
    quint32 state = 12345u + quint32(salt);
    while (bytes.size() < size) bytes.append(char((state = state * 1664525u + 1013904223u) >> 24));
    return bytes;
}

inline QByteArray readFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class DownloadFrame : public QObject {
    Q_OBJECT

protected:
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
    // x.gguf of the hub is `bytes` under `tag`; `change` may spoil an answer, told the how manieth it is, from 1.
    void serve(const QByteArray& bytes, const QByteArray& tag, const std::function<void(FakeAnswer&, int)>& change = {}) {
        m_hub->on(QStringLiteral("/x.gguf"), [bytes, tag, change, asked = std::make_shared<int>(0)](const FakeRequest& request) {
            FakeAnswer answer = FakeHub::file(request, bytes, tag);
            if (change) change(answer, ++*asked);
            return answer;
        });
    }
    // The published digest is its tag.
    void servePublished(const QByteArray& bytes, const std::function<void(FakeAnswer&, int)>& change = {}) { serve(bytes, FakeHub::digestOf(bytes), change); }
    // The answer announces all of `bytes`, gives the first `size` and then nothing.
    static void hangAfter(FakeAnswer& answer, const QByteArray& bytes, int size) {
        answer.headers.append({"Content-Length", QByteArray::number(bytes.size())});
        answer.body = bytes.left(size);
        answer.hang = true;
    }
    QString address() const { return m_hub->text(QStringLiteral("/x.gguf")); }
    TransferProgress fetch() { return waitForEnd(start(address())); }
    void verifyArrival(const QByteArray& bytes) {
        const TransferProgress end = fetch();
        QVERIFY2(end.state == TransferState::Finished, qPrintable(end.sentence));
        QCOMPARE(readFile(end.path), bytes);
    }
    void reopen() {
        m_downloader.reset();
        open();
    }
    QStringList files() const { return QDir(m_folder->path()).entryList(QDir::Files, QDir::Name); }
    QString path(const QString& name) const { return m_folder->filePath(name); }

    // x.gguf (or what is `at` another address) fails with a sentence that says `part`, and leaves no model behind.
    void verifyFailure(const QString& part, const QString& at = {}) {
        const TransferProgress end = waitForEnd(start(at.isEmpty() ? address() : at));
        QCOMPARE(end.state, TransferState::Failed);
        QVERIFY2(end.sentence.contains(part), qPrintable(end.sentence));
        QVERIFY(!files().contains(QStringLiteral("x.gguf")));
    }

    void prepare() {
        m_downloader.reset();
        m_folder = std::make_unique<QTemporaryDir>();
        m_hub = std::make_unique<FakeHub>();
        m_options = {};
        m_options.hub = m_hub->url();
        m_options.transfer.firstRetryMs = 1;
        m_options.transfer.retries = 3;
        open();
    }
    void clear() {
        m_downloader.reset();
        if (m_isMounted) QProcess::execute(QStringLiteral("umount"), {QStringLiteral("-l"), m_folder->path()});
        m_isMounted = false;
    }
};

} // namespace steelyard::guitest
