// One download, from request to finished file, on the hub's thread.
//
// Invariant: bytes are counted, hashed and checked as they come; a file takes its name only when size and published hash agree and
// it begins as a GGUF file does. Goes on where it stopped by Range, and from nothing where the server's file has changed.
// Redirects are followed here, never from https to http, never in a circle. Knows nothing of lists and windows.
#pragma once

#include "gui/hub/part_file.h"

#include <QElapsedTimer>
#include <QNetworkReply>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <QTimer>

#include <functional>

class QNetworkAccessManager;

namespace steelyard {

struct TransferOptions {
    int stallMs = 30'000;      // without a byte
    int firstRetryMs = 1'000;  // doubled each time, up to a minute
    int retries = 6;           // in a row without progress
    qint64 reserveBytes = 256ll * 1024 * 1024; // of the disk left free
    std::function<qint64(const QString& folder)> freeBytes; // of the disk; empty = as the system says
};

enum class TransferState { Connecting, Running, WaitingToRetry, Checking, Paused, Failed, Finished };

struct TransferProgress {
    TransferState state = TransferState::Connecting;
    qint64 receivedBytes = 0;
    qint64 totalBytes = -1;  // -1 = unknown
    qint64 bytesPerSecond = 0;
    QString sentence;        // with Failed and WaitingToRetry: why
    QString path, sha256;    // with Finished
    bool verified = false;   // with Finished: the hash was published, and it is this
};

class Transfer : public QObject {
    Q_OBJECT

public:
    Transfer(const QString& folder, const PartRecord& record, const TransferOptions& options, QNetworkAccessManager* network, QObject* parent);
    ~Transfer() override;

    void start();   // also after a pause or a failure
    void pause();
    void discard(); // stops and deletes what is there

signals:
    void progressed(const steelyard::TransferProgress& progress);

private:
    void prepare();             // hashes what is there, piece by piece
    void request(const QUrl& url);
    void readHeaders();
    void takePublished();       // hash and size that the hub tells of the file
    void acceptBody(int status);
    void acceptRest();          // 206
    void readBody();
    bool checkHead();
    void requestEnded();
    void redirect();
    void checkAndFinish();
    void startOver();
    void stopReply();
    void retry(const QString& reason, int afterMs = -1);
    void fail(const QString& sentence);
    void failStatus(int status);
    void failNetwork(QNetworkReply::NetworkError error);
    bool hasSpace();
    void report(TransferState state, const QString& sentence = QString());
    QByteArray header(const char* name) const;

    QString m_folder;
    TransferOptions m_options;
    QNetworkAccessManager* m_network;
    PartFile m_part;
    QPointer<QNetworkReply> m_reply;
    QTimer m_step, m_retryTimer, m_reportTimer;
    TransferProgress m_progress;

    QSet<QUrl> m_visited;
    QString m_linkedSha256;     // told by the hub on the way
    qint64 m_linkedBytes = -1;
    bool m_bodyAccepted = false;
    int m_failures = 0, m_restarts = 0;
    QElapsedTimer m_clock;
    QVector<QPair<qint64, qint64>> m_samples; // (ms, bytes) of the last seconds
};

} // namespace steelyard
