#include "gui/store/vote_repository.h"

#include <QDateTime>

namespace steelyard {

Result<void> VoteRepository::add(qint64 comparisonId, const QString& first, const QString& second, Outcome outcome) {
    // Compared as SQLite does: by the bytes of UTF-8.
    const int order = first.toUtf8().compare(second.toUtf8());
    if (order == 0) return {};
    int winner = int(outcome);
    if (order > 0 && outcome != Outcome::NoDifference) winner = outcome == Outcome::First ? int(Outcome::Second) : int(Outcome::First);
    const QVariant comparison = comparisonId == 0 ? QVariant(QMetaType::fromType<qint64>()) : QVariant(comparisonId);
    return m_database.execute(
        QStringLiteral("INSERT INTO comparison_votes (comparison_id, first_level, second_level, winner, created_at) VALUES (?, ?, ?, ?, ?)"),
        {comparison, order < 0 ? first : second, order < 0 ? second : first, winner, QDateTime::currentMSecsSinceEpoch()});
}

Result<QVector<VoteCount>> VoteRepository::counts() {
    auto rows = m_database.run(QStringLiteral("SELECT first_level, second_level, SUM(winner = 1), SUM(winner = 2), SUM(winner = 0) FROM comparison_votes "
                                              "GROUP BY first_level, second_level ORDER BY first_level, second_level"));
    if (!rows) return rows.error();
    QVector<VoteCount> counts;
    while (rows->next())
        counts.append({rows->value(0).toString(), rows->value(1).toString(), rows->value(2).toInt(), rows->value(3).toInt(), rows->value(4).toInt()});
    return counts;
}

} // namespace steelyard
