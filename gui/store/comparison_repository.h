// The comparisons that were run: one row each, deleted ones kept until the next start so that a deletion can be undone.
//
// Invariant: lists never show a deleted comparison. Runs on the store thread inside the caller's transaction. Knows nothing of
// what the columns are.
#pragma once

#include "gui/store/database.h"
#include "gui/store/records.h"

namespace steelyard {

class ComparisonRepository {
    Q_DECLARE_TR_FUNCTIONS(ComparisonRepository)

public:
    explicit ComparisonRepository(Database& database) : m_database(database) {}

    // The ones used last first.
    Result<QVector<ComparisonTitle>> list();
    Result<ComparisonRecord> get(qint64 id);
    // Adds it (id 0) or replaces its title, content and report; an own title stays. Returns the id.
    Result<qint64> save(const ComparisonRecord& comparison);
    Result<void> rename(qint64 id, const QString& title);

    // Hides the comparison; restore brings it back whole.
    Result<void> remove(qint64 id);
    Result<void> restore(qint64 id);
    // Deletes for good what was removed before `timeMs`; returns how many.
    Result<int> purgeRemoved(qint64 timeMs);

private:
    Result<void> changeOne(const QString& assignments, QVariantList values, qint64 id);

    Database& m_database;
};

} // namespace steelyard
