#include "gui/store/migrations.h"

#include <QDir>
#include <QFile>

#include <algorithm>

// Outside the namespace, as Qt's macro wants it.
static void initializeSqlResource() {
    Q_INIT_RESOURCE(store_sql);
}

namespace steelyard {

namespace {

Result<void> runOne(Database& database, const Migration& migration) {
    if (auto begun = database.begin(); !begun) return begun;
    auto done = database.executeScript(migration.sql);
    if (done) done = database.execute(QStringLiteral("PRAGMA user_version=%1").arg(migration.version));
    if (done) return database.commit();
    database.rollback();
    return done;
}

// A copy by SQLite itself, so that it holds what still stands in the journal. Written under another name first.
Result<void> backUp(Database& database, const QString& target) {
    const QString half = target + QStringLiteral(".part");
    QFile::remove(half);
    if (auto copied = database.execute(QStringLiteral("VACUUM INTO ?"), {half}); !copied) {
        QFile::remove(half);
        return copied;
    }
    QFile::remove(target);
    if (QFile::rename(half, target)) return {};
    return Error{Migrations::tr("The copy that is made before an update could not be named %1.").arg(target).toStdString()};
}

} // namespace

QVector<Migration> Migrations::embedded() {
    initializeSqlResource();
    QVector<Migration> found;
    const QDir folder(QStringLiteral(":/sql"));
    for (const QString& file : folder.entryList({QStringLiteral("[0-9][0-9][0-9][0-9]_*.sql")}, QDir::Files, QDir::Name)) {
        QFile in(folder.filePath(file));
        if (!in.open(QIODevice::ReadOnly)) continue;
        found.append({file.left(4).toInt(), file.chopped(4), QString::fromUtf8(in.readAll())});
    }
    for (qsizetype i = 0; i < found.size(); ++i) assert(found[i].version == int(i) + 1);
    return found;
}

Result<int> Migrations::versionOf(Database& database) {
    auto version = database.value(QStringLiteral("PRAGMA user_version"));
    if (!version) return version.error();
    return version->toInt();
}

QString Migrations::backupPath(const QString& path, int version) {
    return QStringLiteral("%1.version-%2.backup").arg(path).arg(version);
}

Result<void> Migrations::apply(Database& database, const QVector<Migration>& migrations) {
    const auto version = versionOf(database);
    if (!version) return version.error();
    const int newest = migrations.isEmpty() ? 0 : migrations.last().version;
    if (*version > newest)
        return Error{tr("The chats were saved by a newer Steelyard (version %1 of the file, this program knows %2). "
                        "Install the newer program to open them.")
                         .arg(*version)
                         .arg(newest)
                         .toStdString()};
    if (*version == newest) return {};
    if (*version > 0 && database.path() != QStringLiteral(":memory:"))
        if (auto saved = backUp(database, backupPath(database.path(), *version)); !saved)
            return Error{tr("The chats could not be copied before the update of their file, so nothing was changed. %1")
                             .arg(QString::fromStdString(saved.sentence()))
                             .toStdString()};
    for (const Migration& migration : migrations) {
        if (migration.version <= *version) continue;
        if (auto done = runOne(database, migration); !done)
            return Error{tr("The file of the chats could not be updated (%1), so it was left as it is. %2")
                             .arg(migration.name, QString::fromStdString(done.sentence()))
                             .toStdString()};
    }
    return {};
}

} // namespace steelyard
