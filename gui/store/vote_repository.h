// Votes between two levels by someone who did not know which was which.
//
// Invariant: a pair is stored once, whichever of both was shown first, so that votes of all comparisons add up. A vote outlives
// its comparison. Runs on the store thread inside the caller's transaction. Knows nothing of what the counts prove.
#pragma once

#include "gui/store/database.h"
#include "gui/store/records.h"

namespace steelyard {

class VoteRepository {
public:
    explicit VoteRepository(Database& database) : m_database(database) {}

    enum class Outcome { NoDifference = 0, First = 1, Second = 2 };

    // `comparisonId` 0 = none. Two levels of one name are no pair and not stored.
    Result<void> add(qint64 comparisonId, const QString& first, const QString& second, Outcome outcome);
    // Of every pair that was ever voted on, by its names.
    Result<QVector<VoteCount>> counts();

private:
    Database& m_database;
};

} // namespace steelyard
