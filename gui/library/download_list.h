// The downloads as the page shows them: one row each, in words.
//
// Invariant: rows are the downloader's, in its order; sizes, speed and time left are texts in the program's language. Knows
// nothing of transfers.
#pragma once

#include "gui/hub/downloader.h"

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class DownloadList : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the program")
    Q_PROPERTY(int count READ count NOTIFY countChanged)

public:
    enum State { Connecting, Running, WaitingToRetry, Checking, Paused, Failed, Finished };
    Q_ENUM(State)
    enum Role { IdRole = Qt::UserRole + 1, LabelRole, FileNameRole, StateRole, FractionRole, StatusRole, SentenceRole, PathRole, VerifiedRole };

    explicit DownloadList(Downloader* downloader, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;
    int count() const { return rowCount(); }
    bool eventFilter(QObject* object, QEvent* event) override;

    static State stateOf(TransferState state);
    static QString statusOf(const TransferProgress& progress); // "120 MB of 1.6 GB · 12 MB/s · 2 min left"

signals:
    void countChanged();

private:
    int rowOf(quint64 id) const { return int(m_ids.indexOf(id)); }

    Downloader* m_downloader;
    QVector<quint64> m_ids;
};

} // namespace steelyard
