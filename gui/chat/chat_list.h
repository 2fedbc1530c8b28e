// The sidebar: all chats by date, pinned ones first, or what a search over titles and texts finds.
//
// Invariant: the list follows the store; a change is shown once the store has it, and rows that stay are moved, not rebuilt.
// Knows nothing of messages or of which model answers.
#pragma once

#include "gui/store/records.h"

#include <QAbstractListModel>
#include <QDate>
#include <QSet>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class Store;

class ChatList : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("part of the chat desk")
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(bool searching READ searching NOTIFY filterChanged) // rows are what the search found
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(double currentId READ currentId NOTIFY currentIdChanged)
    Q_PROPERTY(int currentRow READ currentRow NOTIFY currentRowChanged)

public:
    enum Role { ChatIdRole = Qt::UserRole + 1, TitleRole, SectionRole, PinnedRole, ExcerptRole, CurrentRole, DraftRole, BusyRole, TimeRole };

    explicit ChatList(Store* store, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    QString filter() const { return m_filter; }
    void setFilter(const QString& filter);
    bool searching() const { return m_searching; }
    int count() const { return static_cast<int>(m_rows.size()); }
    qint64 currentId() const { return m_currentId; }
    int currentRow() const;
    void setCurrentId(qint64 chatId);
    void setBusy(qint64 chatId, bool busy); // a reply is being made there

    void retranslate();
    // Reads the store again.
    Q_INVOKABLE void refresh();
    Q_INVOKABLE void rename(qint64 chatId, const QString& title); // an empty title changes nothing
    Q_INVOKABLE void setPinned(qint64 chatId, bool pinned);
    QString titleOf(qint64 chatId) const;
    // The chat shown after (or else before) this one; 0 = none.
    qint64 neighbourOf(qint64 chatId) const;

    static QString sectionOf(const QDate& date, const QDate& today);
    static QString shownTitle(const QString& title); // "New chat" for a chat without one

signals:
    void filterChanged();
    void countChanged();
    void currentIdChanged();
    void currentRowChanged();
    void failed(const QString& sentence);

private:
    struct Row {
        qint64 chatId = 0;
        QString title, section, excerpt;
        bool pinned = false, draft = false;
        qint64 timeMs = 0;
        bool operator==(const Row&) const = default;
    };

    void search();
    void show(const QVector<Row>& rows); // moves what stays
    QVector<Row> rowsOfChats() const;

    Store* m_store;
    QVector<ChatRecord> m_chats;
    QVector<Row> m_rows;
    QSet<qint64> m_busy;
    QString m_filter;
    bool m_searching = false;
    qint64 m_currentId = 0;
    QTimer m_searchTimer, m_dayTimer;
    QDate m_today;
};

} // namespace steelyard
