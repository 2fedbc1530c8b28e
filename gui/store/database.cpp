#include "gui/store/database.h"

#include <QRegularExpression>
#include <QUuid>

#include <algorithm>

namespace steelyard {

namespace {

// SQLite's result codes that need words of their own.
constexpr int kBusy = 5, kLocked = 6, kReadOnly = 8, kInputOutput = 10, kCorrupt = 11, kFull = 13, kCannotOpen = 14, kNotADatabase = 26;

// Collects one statement at a time out of a script, character by character.
class StatementSplitter {
public:
    QStringList split(const QString& sql) {
        for (qsizetype i = 0; i < sql.size(); ++i) {
            if (skipComment(sql, i)) continue;
            take(sql, i);
        }
        flush();
        return m_statements;
    }

private:
    bool skipComment(const QString& sql, qsizetype& i) {
        if (!m_quote.isNull() || sql[i] != u'-' || i + 1 >= sql.size() || sql[i + 1] != u'-') return false;
        while (i < sql.size() && sql[i] != u'\n') ++i;
        endWord();
        m_current += u'\n';
        return true;
    }

    void take(const QString& sql, qsizetype i) {
        const QChar c = sql[i];
        if (!m_quote.isNull()) {
            m_current += c;
            if (c == m_quote) m_quote = QChar();
            return;
        }
        if (c == u'\'' || c == u'"') m_quote = c;
        if (c.isLetterOrNumber() || c == u'_') {
            m_word += c;
        } else {
            endWord();
            if (c == u';' && m_depth == 0) return flush();
        }
        m_current += c;
    }

    // BEGIN and CASE inside a trigger open what END closes.
    void endWord() {
        const QString word = m_word.toUpper();
        m_word.clear();
        if (word == u"TRIGGER") m_trigger = true;
        if (!m_trigger) return;
        if (word == u"BEGIN" || word == u"CASE") ++m_depth;
        if (word == u"END") --m_depth;
    }

    void flush() {
        endWord();
        const QString statement = m_current.trimmed();
        if (!statement.isEmpty()) m_statements += statement;
        m_current.clear();
        m_trigger = false;
        m_depth = 0;
    }

    QStringList m_statements;
    QString m_current, m_word;
    QChar m_quote;
    bool m_trigger = false;
    int m_depth = 0;
};

int codeOf(const QSqlError& error) {
    bool isNumber = false;
    const int code = error.nativeErrorCode().toInt(&isNumber);
    return isNumber ? code & 0xff : 0; // the low byte is the primary code
}

} // namespace

Error Database::errorOf(const QSqlError& error) {
    switch (codeOf(error)) {
    case kFull:
        return Error{tr("The disk is full, so this could not be saved. Free some space; saving goes on by itself.").toStdString()};
    case kReadOnly:
    case kCannotOpen:
        return Error{tr("The folder of the chats cannot be written. Check its permissions.").toStdString()};
    case kCorrupt:
    case kNotADatabase:
        return Error{tr("The file of the chats is damaged.").toStdString()};
    case kBusy:
    case kLocked:
        return Error{tr("Another program is using the file of the chats.").toStdString()};
    case kInputOutput:
        return Error{tr("The disk reported an error, so this could not be saved. Check the disk.").toStdString()};
    default:
        return Error{tr("The file of the chats could not be used: %1").arg(error.databaseText()).toStdString()};
    }
}

QStringList Database::statementsOf(const QString& sql) {
    return StatementSplitter().split(sql);
}

Database::Database(const QString& path)
    : m_path(path), m_connection(QStringLiteral("steelyard-") + QUuid::createUuid().toString(QUuid::WithoutBraces)) {}

Result<std::unique_ptr<Database>> Database::open(const QString& path) {
    std::unique_ptr<Database> database(new Database(path));
    QSqlDatabase connection = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), database->m_connection);
    if (!connection.isValid())
        return Error{tr("Qt's SQLite driver is missing. Install it to keep chats (Debian: libqt6sql6-sqlite).").toStdString()};
    connection.setDatabaseName(path);
    connection.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=2000"));
    if (!connection.open()) return errorOf(connection.lastError());
    if (auto configured = database->configure(); !configured) return configured.error();
    return database;
}

Database::~Database() {
    {
        QSqlDatabase connection = QSqlDatabase::database(m_connection, false);
        connection.close();
    }
    QSqlDatabase::removeDatabase(m_connection);
}

Result<void> Database::configure() {
    // Reading the schema tells a file that is no database; the journal mode tells a folder that cannot be written.
    if (auto read = value(QStringLiteral("SELECT count(*) FROM sqlite_schema")); !read) return read.error();
    auto mode = value(QStringLiteral("PRAGMA journal_mode=WAL"));
    if (!mode) return mode.error();
    const bool inMemory = m_path == QStringLiteral(":memory:");
    if (!inMemory && mode->toString().compare(QStringLiteral("wal"), Qt::CaseInsensitive) != 0)
        return Error{tr("The folder of the chats cannot be written. Check its permissions.").toStdString()};
    for (const char* pragma : {"PRAGMA foreign_keys=ON", "PRAGMA synchronous=FULL", "PRAGMA mmap_size=0"})
        if (auto set = value(QString::fromLatin1(pragma)); !set) return set.error();
    return {};
}

Result<QSqlQuery> Database::run(const QString& sql, const QVariantList& values) {
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    query.setForwardOnly(true);
    if (!query.prepare(sql)) return errorOf(query.lastError());
    for (const QVariant& value : values) query.addBindValue(value);
    if (!query.exec()) return errorOf(query.lastError());
    return query;
}

Result<void> Database::execute(const QString& sql, const QVariantList& values) {
    auto query = run(sql, values);
    if (!query) return query.error();
    return {};
}

Result<void> Database::executeScript(const QString& sql) {
    for (const QString& statement : statementsOf(sql))
        if (auto done = execute(statement); !done) return done;
    return {};
}

Result<QVariant> Database::value(const QString& sql, const QVariantList& values) {
    auto query = run(sql, values);
    if (!query) return query.error();
    return query->next() ? query->value(0) : QVariant();
}

Result<void> Database::begin(Durability durability) {
    if (durability != m_durability) {
        const auto set = execute(durability == Durability::Full ? QStringLiteral("PRAGMA synchronous=FULL")
                                                                : QStringLiteral("PRAGMA synchronous=NORMAL"));
        if (!set) return set;
        m_durability = durability;
    }
    return execute(QStringLiteral("BEGIN"));
}

Result<void> Database::commit() {
    auto done = execute(QStringLiteral("COMMIT"));
    if (!done) rollback();
    return done;
}

void Database::rollback() {
    // SQLite may have rolled back by itself (a full disk); then this says so and nothing is lost by it.
    static_cast<void>(execute(QStringLiteral("ROLLBACK")));
}

Result<void> Database::checkIntegrity() {
    auto verdict = value(QStringLiteral("PRAGMA integrity_check(1)"));
    if (!verdict) return verdict.error();
    if (verdict->toString() == QStringLiteral("ok")) return {};
    return Error{tr("The file of the chats is damaged.").toStdString()};
}

bool Database::hasFullTextSearch() {
    auto made = execute(QStringLiteral("CREATE VIRTUAL TABLE temp.steelyard_probe USING fts5(x)"));
    if (!made) return false;
    static_cast<void>(execute(QStringLiteral("DROP TABLE temp.steelyard_probe")));
    return true;
}

} // namespace steelyard
