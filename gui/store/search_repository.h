// Search over titles and messages of all chats that are not deleted.
//
// Invariant: the words of a query must all occur, each as the beginning of a word; case and accents do not count. Uses the
// full-text index where SQLite has FTS5, else looks through the text (slower, same answers for plain words). The index is
// kept by triggers and can be rebuilt from the messages at any time, so it stands outside the numbered migrations.
#pragma once

#include "gui/store/database.h"
#include "gui/store/records.h"

#include <QStringList>

namespace steelyard {

class SearchRepository {
public:
    explicit SearchRepository(Database& database) : m_database(database) {}

    // Makes the index fit this SQLite: builds it where it is missing, drops its triggers where FTS5 is. At opening.
    Result<void> prepare();
    Result<QVector<SearchHit>> find(const QString& query, int limit = 100);

private:
    Result<void> findTitles(const QStringList& words, int limit, QVector<SearchHit>& hits);
    Result<void> findByIndex(const QStringList& words, int limit, QVector<SearchHit>& hits);
    Result<void> findByText(const QStringList& words, int limit, QVector<SearchHit>& hits);
    Result<bool> isIndexed();

    Database& m_database;
};

} // namespace steelyard
