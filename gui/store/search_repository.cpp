#include "gui/store/search_repository.h"

#include "gui/store/migrations.h"

#include <QFile>
#include <QRegularExpression>

#include <algorithm>

namespace steelyard {

namespace {

constexpr int kExcerptCharacters = 160;

// The words of a query: runs of letters and digits. Everything else parts words, as in the index.
QStringList wordsOf(const QString& query) {
    static const QRegularExpression kBetween(QStringLiteral("[^\\p{L}\\p{N}\\p{M}]+"), QRegularExpression::UseUnicodePropertiesOption);
    return query.split(kBetween, Qt::SkipEmptyParts);
}

// Languages without blanks between words: the index sees a whole sentence as one word.
bool isWithoutBlanks(const QStringList& words) {
    static const QRegularExpression kScripts(QStringLiteral("[\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Thai}\\p{Lao}\\p{Khmer}\\p{Myanmar}]"));
    return std::any_of(words.begin(), words.end(), [](const QString& word) { return word.contains(kScripts); });
}

bool containsAll(const QString& text, const QStringList& words) {
    return std::all_of(words.begin(), words.end(), [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

// A piece of the text around the first of the words, cut at blanks, on one line.
QString excerptOf(const QString& content, const QStringList& words) {
    qsizetype at = -1;
    for (const QString& word : words) {
        at = content.indexOf(word, 0, Qt::CaseInsensitive);
        if (at >= 0) break;
    }
    qsizetype from = std::max<qsizetype>(0, at - kExcerptCharacters / 3);
    if (from > 0) {
        const qsizetype blank = content.indexOf(u' ', from);
        if (blank >= 0 && blank < at) from = blank + 1;
        else if (content[from].isLowSurrogate()) ++from;
    }
    QString excerpt = content.mid(from, kExcerptCharacters);
    if (!excerpt.isEmpty() && excerpt.back().isHighSurrogate()) excerpt.chop(1);
    excerpt = excerpt.simplified();
    if (from > 0) excerpt.prepend(u'…');
    if (from + kExcerptCharacters < content.size()) excerpt.append(u'…');
    return excerpt;
}

SearchHit hitOf(const QSqlQuery& row, const QStringList& words) {
    return {row.value(0).toLongLong(), row.value(1).toLongLong(), row.value(2).toString(), excerptOf(row.value(3).toString(), words),
            row.value(4).toLongLong()};
}

} // namespace

Result<bool> SearchRepository::isIndexed() {
    auto found = m_database.value(QStringLiteral("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name = 'message_index_added'"));
    if (!found) return found.error();
    return found->toInt() > 0;
}

Result<void> SearchRepository::prepare() {
    const auto indexed = isIndexed();
    if (!indexed) return indexed.error();
    const bool possible = m_database.hasFullTextSearch();
    if (possible == *indexed) return {};
    if (!possible) {
        for (const char* name : {"message_index_added", "message_index_removed", "message_index_changed"})
            if (auto done = m_database.execute(QStringLiteral("DROP TRIGGER IF EXISTS %1").arg(QString::fromLatin1(name))); !done) return done;
        return {};
    }
    // Without triggers an index that is left over may be old.
    if (auto done = m_database.execute(QStringLiteral("DROP TABLE IF EXISTS message_index")); !done) return done;
    Migrations::embedded(); // makes the resource known
    QFile script(QStringLiteral(":/sql/search_index.sql"));
    if (!script.open(QIODevice::ReadOnly)) return {};
    return m_database.executeScript(QString::fromUtf8(script.readAll()));
}

Result<QVector<SearchHit>> SearchRepository::find(const QString& query, int limit) {
    QVector<SearchHit> hits;
    const QStringList words = wordsOf(query);
    if (words.isEmpty()) return hits;
    if (auto done = findTitles(words, limit, hits); !done) return done.error();
    const auto indexed = isIndexed();
    if (!indexed) return indexed.error();
    auto done = *indexed && !isWithoutBlanks(words) ? findByIndex(words, limit, hits) : findByText(words, limit, hits);
    if (!done) return done.error();
    return hits;
}

Result<void> SearchRepository::findTitles(const QStringList& words, int limit, QVector<SearchHit>& hits) {
    auto rows = m_database.run(QStringLiteral("SELECT id, 0, title, title, updated_at FROM chats WHERE deleted_at IS NULL ORDER BY updated_at DESC"));
    if (!rows) return rows.error();
    while (hits.size() < limit && rows->next())
        if (containsAll(rows->value(2).toString(), words)) hits.append(hitOf(*rows, words));
    return {};
}

Result<void> SearchRepository::findByIndex(const QStringList& words, int limit, QVector<SearchHit>& hits) {
    QStringList terms;
    for (const QString& word : words) terms.append(u'"' + word + QStringLiteral("\"*"));
    auto rows = m_database.run(QStringLiteral("SELECT c.id, m.id, c.title, m.content, m.created_at FROM message_index i "
                                              "JOIN messages m ON m.id = i.rowid JOIN chats c ON c.id = m.chat_id "
                                              "WHERE message_index MATCH ? AND c.deleted_at IS NULL ORDER BY m.created_at DESC, m.id DESC LIMIT ?"),
                               {terms.join(u' '), limit});
    if (!rows) return rows.error();
    while (hits.size() < limit && rows->next()) hits.append(hitOf(*rows, words));
    return {};
}

Result<void> SearchRepository::findByText(const QStringList& words, int limit, QVector<SearchHit>& hits) {
    auto rows = m_database.run(QStringLiteral("SELECT c.id, m.id, c.title, m.content, m.created_at FROM messages m JOIN chats c ON c.id = m.chat_id "
                                              "WHERE c.deleted_at IS NULL ORDER BY m.created_at DESC, m.id DESC"));
    if (!rows) return rows.error();
    while (hits.size() < limit && rows->next())
        if (containsAll(rows->value(3).toString(), words)) hits.append(hitOf(*rows, words));
    return {};
}

} // namespace steelyard
