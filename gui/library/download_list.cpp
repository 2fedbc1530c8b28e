#include "gui/library/download_list.h"

#include "gui/store/model_list.h"

#include <QCoreApplication>
#include <QEvent>

#include <algorithm>

namespace steelyard {

namespace {

QString timeInWords(qint64 seconds) {
    if (seconds < 60) return DownloadList::tr("%n second(s) left", nullptr, std::max(1, int(seconds)));
    if (seconds < 3600) return DownloadList::tr("%n minute(s) left", nullptr, int((seconds + 30) / 60));
    return DownloadList::tr("%n hour(s) left", nullptr, int((seconds + 1800) / 3600));
}

} // namespace

DownloadList::DownloadList(Downloader* downloader, QObject* parent) : QAbstractListModel(parent), m_downloader(downloader) {
    QCoreApplication::instance()->installEventFilter(this);
    for (const DownloadInfo& download : downloader->downloads()) m_ids.append(download.id);
    connect(downloader, &Downloader::added, this, [this](quint64 id) {
        beginInsertRows({}, int(m_ids.size()), int(m_ids.size()));
        m_ids.append(id);
        endInsertRows();
        emit countChanged();
    });
    connect(downloader, &Downloader::changed, this, [this](quint64 id) {
        if (const int row = rowOf(id); row >= 0) emit dataChanged(index(row), index(row));
    });
    connect(downloader, &Downloader::removed, this, [this](quint64 id) {
        const int row = rowOf(id);
        if (row < 0) return;
        beginRemoveRows({}, row, row);
        m_ids.removeAt(row);
        endRemoveRows();
        emit countChanged();
    });
}

// Its words are said anew.
bool DownloadList::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::LanguageChange && object == QCoreApplication::instance() && !m_ids.isEmpty())
        emit dataChanged(index(0), index(int(m_ids.size()) - 1));
    return QObject::eventFilter(object, event);
}

int DownloadList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_ids.size());
}

QHash<int, QByteArray> DownloadList::roleNames() const {
    return {{IdRole, "downloadId"}, {LabelRole, "label"}, {FileNameRole, "fileName"}, {StateRole, "progressState"}, {FractionRole, "fraction"},
            {StatusRole, "status"}, {SentenceRole, "sentence"}, {PathRole, "path"}, {VerifiedRole, "verified"}};
}

QVariant DownloadList::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_ids.size()) return {};
    const DownloadInfo* download = m_downloader->find(m_ids.at(index.row()));
    if (download == nullptr) return {};
    const TransferProgress& progress = download->progress;
    switch (role) {
    case IdRole: return download->id;
    case Qt::DisplayRole:
    case LabelRole: return download->label;
    case FileNameRole: return download->fileName;
    case StateRole: return stateOf(progress.state);
    case FractionRole: return progress.totalBytes > 0 ? double(progress.receivedBytes) / double(progress.totalBytes) : -1.0;
    case StatusRole: return statusOf(progress);
    case SentenceRole: return progress.sentence;
    case PathRole: return progress.path;
    case VerifiedRole: return progress.verified;
    default: return {};
    }
}

DownloadList::State DownloadList::stateOf(TransferState state) {
    switch (state) {
    case TransferState::Connecting: return Connecting;
    case TransferState::Running: return Running;
    case TransferState::WaitingToRetry: return WaitingToRetry;
    case TransferState::Checking: return Checking;
    case TransferState::Paused: return Paused;
    case TransferState::Failed: return Failed;
    case TransferState::Finished: return Finished;
    }
    return Failed;
}

QString DownloadList::statusOf(const TransferProgress& progress) {
    const QString received = bytesInWords(progress.receivedBytes);
    const QString amount = progress.totalBytes > 0 ? tr("%1 of %2").arg(received, bytesInWords(progress.totalBytes)) : received;
    switch (progress.state) {
    case TransferState::Connecting: return tr("Connecting");
    case TransferState::WaitingToRetry: return tr("%1 · trying again soon").arg(amount);
    case TransferState::Checking: return tr("Checking %1").arg(amount);
    case TransferState::Paused: return tr("%1 · paused").arg(amount);
    case TransferState::Failed: return progress.receivedBytes > 0 ? tr("%1 · stopped").arg(amount) : tr("Stopped");
    case TransferState::Finished: return progress.verified ? tr("%1 · complete, SHA-256 as published").arg(received)
                                                           : tr("%1 · complete; no checksum is published").arg(received);
    case TransferState::Running: break;
    }
    QStringList parts = {amount};
    if (progress.bytesPerSecond > 0) {
        parts.append(tr("%1/s").arg(bytesInWords(progress.bytesPerSecond)));
        if (progress.totalBytes > progress.receivedBytes) parts.append(timeInWords((progress.totalBytes - progress.receivedBytes) / progress.bytesPerSecond));
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace steelyard
