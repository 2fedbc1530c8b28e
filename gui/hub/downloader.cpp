#include "gui/hub/downloader.h"

#include "gui/hub/safe_name.h"

#include <QNetworkAccessManager>

#include <algorithm>

namespace steelyard {

// The transfers by id, on the hub's thread.
class Downloader::Worker : public QObject {
public:
    Worker(Downloader* owner, const DownloaderOptions& options) : m_owner(owner), m_options(options) {}

    void start(quint64 id, const PartRecord& record) {
        if (m_network == nullptr) m_network = new QNetworkAccessManager(this);
        Transfer*& transfer = m_transfers[id];
        if (transfer == nullptr) {
            transfer = new Transfer(m_options.folder, record, m_options.transfer, m_network, this);
            connect(transfer, &Transfer::progressed, this, [this, id](const TransferProgress& progress) { tell(id, progress); });
        }
        transfer->start();
    }
    void pause(quint64 id) {
        if (Transfer* transfer = m_transfers.value(id)) transfer->pause();
    }
    void discard(quint64 id, const PartRecord& record) {
        if (Transfer* transfer = m_transfers.take(id)) {
            transfer->discard();
            transfer->deleteLater();
        } else {
            PartFile(m_options.folder, record).discard();
        }
    }
    void forget(quint64 id) { delete m_transfers.take(id); }

private:
    void tell(quint64 id, const TransferProgress& progress) {
        QMetaObject::invokeMethod(m_owner, [owner = m_owner, id, progress] { owner->update(id, progress); }, Qt::QueuedConnection);
    }

    Downloader* m_owner;
    DownloaderOptions m_options;
    QNetworkAccessManager* m_network = nullptr; // made on its thread, when first needed
    QHash<quint64, Transfer*> m_transfers;
};

Downloader::Downloader(const DownloaderOptions& options, QObject* parent)
    : QObject(parent), m_options(options), m_worker(new Worker(this, options)) {
    m_thread.setObjectName(QStringLiteral("hub"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start(QThread::LowPriority);
    addUnfinished();
}

Downloader::~Downloader() {
    m_thread.quit();
    m_thread.wait();
}

void Downloader::addUnfinished() {
    for (const PartRecord& record : PartFile::unfinished(m_options.folder)) add(record, TransferState::Paused);
}

quint64 Downloader::add(const PartRecord& record, TransferState state) {
    DownloadInfo info;
    info.id = ++m_lastId;
    info.url = record.url;
    info.label = record.label;
    info.fileName = record.fileName;
    info.progress.state = state;
    info.progress.receivedBytes = PartFile::sizeOf(m_options.folder, record);
    info.progress.totalBytes = record.totalBytes;
    m_records.insert(info.id, record);
    m_downloads.append(info);
    emit added(info.id);
    return info.id;
}

qsizetype Downloader::indexOf(quint64 id) const {
    const auto found = std::find_if(m_downloads.begin(), m_downloads.end(), [id](const DownloadInfo& d) { return d.id == id; });
    return found == m_downloads.end() ? -1 : found - m_downloads.begin();
}

const DownloadInfo* Downloader::find(quint64 id) const {
    const qsizetype index = indexOf(id);
    return index < 0 ? nullptr : &m_downloads.at(index);
}

Result<quint64> Downloader::start(const QString& text) {
    auto address = readModelAddress(text, m_options.hub);
    if (!address) return address.error();
    for (const DownloadInfo& known : m_downloads) {
        if (known.url != address->url || known.progress.state == TransferState::Finished) continue;
        const quint64 id = known.id;
        resume(id);
        return id;
    }
    PartRecord record;
    record.url = address->url;
    record.label = address->label;
    record.fileName = freeFileName(m_options.folder, address->fileName);
    // A name that was given out and is not on disk yet counts as taken.
    const auto isTaken = [this](const QString& name) {
        return std::any_of(m_downloads.begin(), m_downloads.end(), [&](const DownloadInfo& d) {
            return d.progress.state != TransferState::Finished && d.fileName.compare(name, Qt::CaseInsensitive) == 0;
        });
    };
    for (int number = 2; isTaken(record.fileName); ++number)
        record.fileName = freeFileName(m_options.folder, QStringLiteral("%1-%2.gguf").arg(address->fileName.chopped(5)).arg(number));
    const quint64 id = add(record, TransferState::Connecting);
    onWorker([id, record](Worker& worker) { worker.start(id, record); });
    return id;
}

void Downloader::pause(quint64 id) {
    onWorker([id](Worker& worker) { worker.pause(id); });
}

void Downloader::resume(quint64 id) {
    const DownloadInfo* info = find(id);
    if (info == nullptr) return;
    const TransferState state = info->progress.state;
    if (state != TransferState::Paused && state != TransferState::Failed && state != TransferState::WaitingToRetry) return;
    TransferProgress progress = info->progress;
    progress.state = TransferState::Connecting;
    progress.sentence.clear();
    update(id, progress);
    onWorker([id, record = m_records.value(id)](Worker& worker) { worker.start(id, record); });
}

void Downloader::cancel(quint64 id) {
    const DownloadInfo* info = find(id);
    if (info == nullptr || info->progress.state == TransferState::Finished) return;
    onWorker([id, record = m_records.value(id)](Worker& worker) { worker.discard(id, record); });
    remove(id);
}

void Downloader::forget(quint64 id) {
    const DownloadInfo* info = find(id);
    if (info == nullptr) return;
    if (info->progress.state != TransferState::Finished) return cancel(id);
    onWorker([id](Worker& worker) { worker.forget(id); });
    remove(id);
}

bool Downloader::isBusy() const {
    return std::any_of(m_downloads.begin(), m_downloads.end(), [](const DownloadInfo& d) {
        return d.progress.state == TransferState::Connecting || d.progress.state == TransferState::Running ||
               d.progress.state == TransferState::WaitingToRetry || d.progress.state == TransferState::Checking;
    });
}

void Downloader::onWorker(std::function<void(Worker&)> job) {
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, job = std::move(job)] { job(*worker); }, Qt::QueuedConnection);
}

void Downloader::update(quint64 id, const TransferProgress& progress) {
    const qsizetype index = indexOf(id);
    if (index < 0) return;
    m_downloads[index].progress = progress;
    emit changed(id);
    if (progress.state == TransferState::Finished) emit finished(m_downloads.at(index));
}

void Downloader::remove(quint64 id) {
    const qsizetype index = indexOf(id);
    if (index < 0) return;
    m_downloads.removeAt(index);
    m_records.remove(id);
    emit removed(id);
}

} // namespace steelyard
