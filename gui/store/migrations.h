// Brings a database to the program's version by the numbered files of resources/sql.
//
// Invariant: each file runs in one transaction together with its version number (user_version), so that a failure leaves
// the version before it; a copy of the file is made before the first step; a newer database is refused in words and not
// touched. Knows nothing of what the tables mean.
#pragma once

#include "gui/store/database.h"

#include <QVector>

namespace steelyard {

struct Migration {
    int version = 0; // the number in front of its file's name
    QString name;    // "0001_chats"
    QString sql;
};

class Migrations {
    Q_DECLARE_TR_FUNCTIONS(Migrations)

public:
    // The embedded ones, in order, without gaps from 1.
    static QVector<Migration> embedded();
    static Result<int> versionOf(Database& database);
    // Where the copy of `path` at `version` is made.
    static QString backupPath(const QString& path, int version);

    // Runs what is missing. With nothing to do, touches nothing.
    static Result<void> apply(Database& database, const QVector<Migration>& migrations);
};

} // namespace steelyard
