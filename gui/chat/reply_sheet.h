// The sheet of one reply: was it slow to start or slow to stream, where the time went, what the cache and guessing ahead
// were worth, what was left out.
//
// Invariant: only figures that were measured are shown. The verdict is the mission's: under 200 ms to the first character feels
// like any program, under a second is at once, else the reply was slow to start; a median between tokens above the limit is slow
// to stream. Knows nothing of how it is laid out.
#pragma once

#include "gui/store/records.h"

#include <QCoreApplication>
#include <QString>
#include <QVariantMap>

namespace steelyard {

constexpr double kSlowStartMs = 1000, kInstantMs = 200, kSlowStreamMs = 100;

class ReplySheet {
    Q_DECLARE_TR_FUNCTIONS(ReplySheet)

public:
    explicit ReplySheet(const ReplyFigures& figures, double slowStreamMs = kSlowStreamMs) : m(figures), m_slowStreamMs(slowStreamMs) {}

    // "verdict", "slow", "longest", "advice", and "sections": of "title" and "rows", each of "label", "value", "note" and "share" (of the
    // wait for the first character; -1 = none).
    QVariantMap map() const;

    QString verdict() const;
    bool slowToStart() const { return m.ttftMs >= kSlowStartMs; }
    bool slowToStream() const { return m.itlP50Ms > m_slowStreamMs; }
    QString longest() const; // the stage that took most of the wait, in words; empty when nothing was measured
    QString advice() const;  // what would help; empty when nothing needs help

private:
    enum class Stage { Queue, Tokenize, Reuse, Prefill, HandOver, First };
    double stageMs(Stage stage) const;
    Stage longestStage() const;
    QVariantList startRows() const;
    QVariantList cacheRows() const;
    QVariantList moveRows() const;
    QVariantList streamRows() const;
    QVariantList deviceRows() const;
    QVariantList guessRows() const;
    QVariantList otherRows() const;

    const ReplyFigures& m;
    double m_slowStreamMs;
};

} // namespace steelyard
