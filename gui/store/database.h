// One SQLite connection: opens it with the settings that keep chats safe and turns its errors into sentences.
//
// Invariant: WAL journal, foreign keys on, synchronous=FULL unless a transaction asks for less, no memory mapping. Used on the
// thread that opened it, and there is one writing connection per file in the whole program. Knows nothing of tables.
#pragma once

#include "engine/core/result.h"

#include <QCoreApplication>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QString>
#include <QVariantList>

#include <memory>

namespace steelyard {

// How much a commit must survive: Full = a power cut, Relaxed = the end of the program (a power cut may lose it, never damage).
enum class Durability { Full, Relaxed };

class Database {
    Q_DECLARE_TR_FUNCTIONS(Database)

public:
    // `path` may be ":memory:". An unreadable or damaged file is an error; nothing is ever repaired or replaced here.
    static Result<std::unique_ptr<Database>> open(const QString& path);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    // One statement with its `?` filled in. The query is at its first row after next().
    Result<QSqlQuery> run(const QString& sql, const QVariantList& values = {});
    // As run, without rows.
    Result<void> execute(const QString& sql, const QVariantList& values = {});
    // The statements of a file, in order, stopping at the first that fails.
    Result<void> executeScript(const QString& sql);
    // The first column of the first row, or an invalid value when there is none.
    Result<QVariant> value(const QString& sql, const QVariantList& values = {});

    Result<void> begin(Durability durability = Durability::Full);
    Result<void> commit();
    void rollback();

    // Looks through the whole file; an error says what is damaged.
    Result<void> checkIntegrity();
    bool hasFullTextSearch();
    const QString& path() const { return m_path; }

    static Error errorOf(const QSqlError& error);
    // The statements of a script: comments dropped, the bodies of triggers kept whole.
    static QStringList statementsOf(const QString& sql);

private:
    explicit Database(const QString& path);
    Result<void> configure();

    QString m_path;
    QString m_connection; // name in Qt's registry, unique
    Durability m_durability = Durability::Full;
};

} // namespace steelyard
