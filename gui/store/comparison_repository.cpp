#include "gui/store/comparison_repository.h"

#include <QDateTime>
#include <QJsonDocument>

namespace steelyard {

namespace {

QString written(const QString& value) { return value.isNull() ? QStringLiteral("") : value; }

QString jsonText(const QJsonObject& object) { return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact)); }

} // namespace

Result<QVector<ComparisonTitle>> ComparisonRepository::list() {
    auto rows = m_database.run(QStringLiteral("SELECT id, title, report <> '', updated_at FROM comparisons WHERE deleted_at IS NULL ORDER BY updated_at DESC, id DESC"));
    if (!rows) return rows.error();
    QVector<ComparisonTitle> titles;
    while (rows->next()) titles.append({rows->value(0).toLongLong(), rows->value(1).toString(), rows->value(2).toBool(), rows->value(3).toLongLong()});
    return titles;
}

Result<ComparisonRecord> ComparisonRepository::get(qint64 id) {
    auto rows = m_database.run(QStringLiteral("SELECT id, title, title_is_own, content, report, created_at, updated_at FROM comparisons WHERE id = ?"), {id});
    if (!rows) return rows.error();
    if (!rows->next()) return Error{tr("This comparison no longer exists.").toStdString()};
    ComparisonRecord comparison;
    comparison.id = rows->value(0).toLongLong();
    comparison.title = rows->value(1).toString();
    comparison.titleIsOwn = rows->value(2).toBool();
    comparison.content = QJsonDocument::fromJson(rows->value(3).toByteArray()).object();
    comparison.report = rows->value(4).toString();
    comparison.createdAtMs = rows->value(5).toLongLong();
    comparison.updatedAtMs = rows->value(6).toLongLong();
    return comparison;
}

Result<void> ComparisonRepository::changeOne(const QString& assignments, QVariantList values, qint64 id) {
    values.append(id);
    auto done = m_database.run(QStringLiteral("UPDATE comparisons SET %1 WHERE id = ?").arg(assignments), values);
    if (!done) return done.error();
    if (done->numRowsAffected() == 0) return Error{tr("This comparison no longer exists.").toStdString()};
    return {};
}

Result<qint64> ComparisonRepository::save(const ComparisonRecord& comparison) {
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (comparison.id != 0) {
        auto done = changeOne(QStringLiteral("title = CASE WHEN title_is_own THEN title ELSE ? END, content = ?, report = ?, updated_at = ?"),
                              {written(comparison.title), jsonText(comparison.content), written(comparison.report), now}, comparison.id);
        if (!done) return done.error();
        return comparison.id;
    }
    const qint64 created = comparison.createdAtMs != 0 ? comparison.createdAtMs : now;
    auto done = m_database.run(
        QStringLiteral("INSERT INTO comparisons (title, title_is_own, content, report, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)"),
        {written(comparison.title), comparison.titleIsOwn, jsonText(comparison.content), written(comparison.report), created,
         comparison.updatedAtMs != 0 ? comparison.updatedAtMs : created});
    if (!done) return done.error();
    return done->lastInsertId().toLongLong();
}

Result<void> ComparisonRepository::rename(qint64 id, const QString& title) {
    return changeOne(QStringLiteral("title = ?, title_is_own = 1"), {written(title)}, id);
}

Result<void> ComparisonRepository::remove(qint64 id) {
    return changeOne(QStringLiteral("deleted_at = ?"), {QDateTime::currentMSecsSinceEpoch()}, id);
}

Result<void> ComparisonRepository::restore(qint64 id) {
    return changeOne(QStringLiteral("deleted_at = NULL"), {}, id);
}

Result<int> ComparisonRepository::purgeRemoved(qint64 timeMs) {
    auto done = m_database.run(QStringLiteral("DELETE FROM comparisons WHERE deleted_at < ?"), {timeMs});
    if (!done) return done.error();
    return done->numRowsAffected();
}

} // namespace steelyard
