// Why a prompt, or a part of it, was read again though the cache holds earlier turns, as a person can use it: one row for each
// reason that the engine gives.
//
// Invariant: a reason of the engine that has no row is shown as the engine says it. Knows nothing of how the cache works.
#pragma once

#include <QString>

namespace steelyard {

struct ReuseReason {
    QString name;   // a few words: "edited message"
    QString what;   // one sentence: what happened; empty for a reason without a row
    QString remedy; // what the person can do, or empty when there is nothing to do
};

ReuseReason reuseReason(const QString& reason);

} // namespace steelyard
