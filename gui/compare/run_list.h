// The comparisons that were run, newest first, to be opened again.
//
// Invariant: follows the store; a deleted one can be brought back until the program ends. Knows nothing of their content.
#pragma once

#include "gui/store/store.h"

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class RunList : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the comparison")
    Q_PROPERTY(int count READ count NOTIFY countChanged)

public:
    enum Role { RunIdRole = Qt::UserRole + 1, TitleRole, HasReportRole, TimeRole };

    explicit RunList(Store* store, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;
    int count() const { return int(m_runs.size()); }
    QString title(qint64 id) const;

    void reload();
    Q_INVOKABLE qint64 idAt(int row) const { return row >= 0 && row < count() ? m_runs[row].id : 0; }
    Q_INVOKABLE void rename(qint64 id, const QString& title); // an empty title changes nothing
    Q_INVOKABLE void remove(qint64 id);                       // tells removed, which can be undone
    Q_INVOKABLE void undoRemove(qint64 id);
    void retranslate();

signals:
    void countChanged();
    void removed(qint64 id, const QString& title);
    void renamed(qint64 id, const QString& title);
    void failed(const QString& sentence);

private:
    template <class Work>
    void change(Work work);

    Store* m_store;
    QVector<ComparisonTitle> m_runs;
};

} // namespace steelyard
