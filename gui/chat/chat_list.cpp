#include "gui/chat/chat_list.h"

#include "gui/chat/prompt_builder.h"
#include "gui/store/store.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>

namespace steelyard {
namespace {

constexpr int kSearchDelayMs = 150;
constexpr int kDayCheckMs = 60000;

} // namespace

ChatList::ChatList(Store* store, QObject* parent) : QAbstractListModel(parent), m_store(store), m_today(QDate::currentDate()) {
    m_searchTimer.setSingleShot(true);
    m_searchTimer.setInterval(kSearchDelayMs);
    connect(&m_searchTimer, &QTimer::timeout, this, &ChatList::search);
    m_dayTimer.setInterval(kDayCheckMs);
    connect(&m_dayTimer, &QTimer::timeout, this, [this] {
        if (std::exchange(m_today, QDate::currentDate()) != QDate::currentDate() && !m_searching) show(rowsOfChats());
    });
    m_dayTimer.start();
}

int ChatList::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count(); }

QHash<int, QByteArray> ChatList::roleNames() const {
    return {{ChatIdRole, "chatId"}, {TitleRole, "title"}, {SectionRole, "section"}, {PinnedRole, "pinned"}, {ExcerptRole, "excerpt"},
            {CurrentRole, "current"}, {DraftRole, "hasDraft"}, {BusyRole, "busy"}, {TimeRole, "time"}};
}

QVariant ChatList::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= count()) return {};
    const Row& row = m_rows[index.row()];
    switch (role) {
    case ChatIdRole: return row.chatId;
    case Qt::DisplayRole:
    case TitleRole: return shownTitle(row.title);
    case SectionRole: return row.section;
    case PinnedRole: return row.pinned;
    case ExcerptRole: return row.excerpt;
    case CurrentRole: return row.chatId == m_currentId;
    case DraftRole: return row.draft;
    case BusyRole: return m_busy.contains(row.chatId);
    case TimeRole: return QLocale().toString(QDateTime::fromMSecsSinceEpoch(row.timeMs), QLocale::ShortFormat);
    default: return {};
    }
}

QString ChatList::shownTitle(const QString& title) { return title.isEmpty() ? tr("New chat") : title; }

QString ChatList::sectionOf(const QDate& date, const QDate& today) {
    const qint64 days = date.daysTo(today);
    if (days <= 0) return tr("Today");
    if (days == 1) return tr("Yesterday");
    if (days < 7) return tr("Last 7 days");
    if (days < 30) return tr("Last 30 days");
    const QString month = QLocale().standaloneMonthName(date.month());
    const QString name = month.left(1).toUpper() + month.mid(1);
    return date.year() == today.year() ? name : QStringLiteral("%1 %2").arg(name).arg(date.year());
}

QVector<ChatList::Row> ChatList::rowsOfChats() const {
    QVector<Row> rows;
    rows.reserve(m_chats.size());
    for (const ChatRecord& chat : m_chats) {
        const QDate date = QDateTime::fromMSecsSinceEpoch(chat.updatedAtMs).date();
        rows.append({chat.id, chat.title, chat.pinned ? tr("Pinned") : sectionOf(date, m_today), {}, chat.pinned,
                     !chat.draft.isEmpty(), chat.updatedAtMs});
    }
    return rows;
}

void ChatList::refresh() {
    m_store->run(
        this, [](Repositories& r) { return r.chats.list(); },
        [this](const Result<QVector<ChatRecord>>& chats) {
            if (!chats) {
                emit failed(QString::fromStdString(chats.sentence()));
                return;
            }
            m_chats = *chats;
            if (m_searching)
                search();
            else
                show(rowsOfChats());
        });
}

void ChatList::retranslate() {
    if (m_searching)
        search();
    else
        show(rowsOfChats());
    if (count() > 0) emit dataChanged(index(0), index(count() - 1));
}

void ChatList::show(const QVector<Row>& rows) {
    const qsizetype countBefore = m_rows.size();
    QSet<qint64> kept;
    for (const Row& row : rows) kept.insert(row.chatId);
    for (int i = count() - 1; i >= 0; --i) {
        if (kept.contains(m_rows[i].chatId)) continue;
        beginRemoveRows({}, i, i);
        m_rows.removeAt(i);
        endRemoveRows();
    }
    for (int i = 0; i < rows.size(); ++i) {
        int from = i;
        while (from < count() && m_rows[from].chatId != rows[i].chatId) ++from;
        if (from == count()) {
            beginInsertRows({}, i, i);
            m_rows.insert(i, rows[i]);
            endInsertRows();
            continue;
        }
        if (from != i) {
            beginMoveRows({}, from, from, {}, i);
            m_rows.move(from, i);
            endMoveRows();
        }
        if (m_rows[i] == rows[i]) continue;
        m_rows[i] = rows[i];
        emit dataChanged(index(i), index(i));
    }
    if (countBefore != m_rows.size()) emit countChanged();
    emit currentRowChanged();
}

void ChatList::setFilter(const QString& filter) {
    if (filter == m_filter) return;
    m_filter = filter;
    if (filter.trimmed().isEmpty()) {
        m_searchTimer.stop();
        m_searching = false;
        show(rowsOfChats());
    } else {
        m_searchTimer.start();
    }
    emit filterChanged();
}

void ChatList::search() {
    m_store->run(
        this, [query = m_filter](Repositories& r) { return r.search.find(query); },
        [this, query = m_filter](const Result<QVector<SearchHit>>& hits) {
            if (query != m_filter || m_filter.trimmed().isEmpty()) return; // typed on since
            if (!hits) {
                emit failed(QString::fromStdString(hits.sentence()));
                return;
            }
            QVector<Row> rows;
            QSet<qint64> seen; // one row a chat: its title, or its first place
            for (const SearchHit& hit : *hits) {
                if (seen.contains(hit.chatId)) continue;
                seen.insert(hit.chatId);
                rows.append({hit.chatId, hit.title, tr("Found"), hit.messageId == 0 ? QString() : hit.excerpt.simplified(), false, false,
                             hit.createdAtMs});
            }
            const bool first = !std::exchange(m_searching, true);
            show(rows);
            if (first) emit filterChanged();
        });
}

int ChatList::currentRow() const {
    for (int i = 0; i < count(); ++i)
        if (m_rows[i].chatId == m_currentId) return i;
    return -1;
}

void ChatList::setCurrentId(qint64 chatId) {
    if (chatId == m_currentId) return;
    m_currentId = chatId;
    if (count() > 0) emit dataChanged(index(0), index(count() - 1), {CurrentRole});
    emit currentIdChanged();
    emit currentRowChanged();
}

void ChatList::setBusy(qint64 chatId, bool busy) {
    if (busy == m_busy.contains(chatId)) return;
    if (busy)
        m_busy.insert(chatId);
    else
        m_busy.remove(chatId);
    if (count() > 0) emit dataChanged(index(0), index(count() - 1), {BusyRole});
}

void ChatList::rename(qint64 chatId, const QString& title) {
    const QString clean = wholeCharacters(title.simplified());
    if (clean.isEmpty() || clean == titleOf(chatId)) return;
    m_store->run([chatId, clean](Repositories& r) { return r.chats.rename(chatId, clean, true); });
    refresh();
}

void ChatList::setPinned(qint64 chatId, bool pinned) {
    m_store->run([chatId, pinned](Repositories& r) { return r.chats.setPinned(chatId, pinned); });
    refresh();
}

QString ChatList::titleOf(qint64 chatId) const {
    for (const ChatRecord& chat : m_chats)
        if (chat.id == chatId) return chat.title;
    return {};
}

qint64 ChatList::neighbourOf(qint64 chatId) const {
    for (int i = 0; i < count(); ++i) {
        if (m_rows[i].chatId != chatId) continue;
        if (i + 1 < count()) return m_rows[i + 1].chatId;
        return i > 0 ? m_rows[i - 1].chatId : 0;
    }
    return 0;
}

} // namespace steelyard
