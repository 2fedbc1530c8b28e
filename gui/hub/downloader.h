// All downloads of models, seen from the GUI thread.
//
// Invariant: requests, hashing and writing happen on a thread of its own; only what the person asked for is requested;
// unfinished downloads of the folder are listed as paused at the start and never start by themselves. Knows nothing of
// model files beyond their first bytes.
#pragma once

#include "gui/hub/hub_address.h"
#include "gui/hub/transfer.h"

#include <QHash>
#include <QObject>
#include <QThread>

namespace steelyard {

struct DownloadInfo {
    quint64 id = 0;
    QUrl url;
    QString label, fileName;
    TransferProgress progress;
};

struct DownloaderOptions {
    QString folder;   // where models are stored
    QUrl hub = defaultHub();
    TransferOptions transfer;
};

class Downloader : public QObject {
    Q_OBJECT

public:
    explicit Downloader(const DownloaderOptions& options, QObject* parent = nullptr);
    ~Downloader() override; // what runs is stopped and can go on at the next start

    const QVector<DownloadInfo>& downloads() const { return m_downloads; }
    const DownloadInfo* find(quint64 id) const;

    // Starts the download of a pasted address and returns its id; an address that is there already goes on.
    Result<quint64> start(const QString& address);
    void pause(quint64 id);
    void resume(quint64 id);  // also after a failure
    void cancel(quint64 id);  // stops, deletes what is there and forgets it
    void forget(quint64 id);  // a finished or failed one leaves the list
    bool isBusy() const;      // one is connecting, running, waiting or being checked

signals:
    void added(quint64 id);
    void changed(quint64 id);
    void removed(quint64 id);
    void finished(const steelyard::DownloadInfo& download); // the model is in its place

private:
    class Worker; // lives on the thread

    void addUnfinished();
    quint64 add(const PartRecord& record, TransferState state);
    void onWorker(std::function<void(Worker&)> job);
    void update(quint64 id, const TransferProgress& progress);
    void remove(quint64 id);
    qsizetype indexOf(quint64 id) const;

    DownloaderOptions m_options;
    QVector<DownloadInfo> m_downloads;
    QHash<quint64, PartRecord> m_records;
    quint64 m_lastId = 0;
    QThread m_thread;
    Worker* m_worker;
};

} // namespace steelyard
