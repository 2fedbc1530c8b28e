// What the window says of a finished reply: the line under it, why it stopped, and the rows of its timing sheet.
//
// Invariant: only figures that were measured are shown. The verdict follows the mission's limits: over a second to the first
// character is slow to start, a median above 100 ms between tokens is slow to stream. Knows nothing of how it is laid out.
#pragma once

#include "gui/store/records.h"

#include <QCoreApplication>
#include <QString>
#include <QVariantList>

namespace steelyard {

class ReplyFiguresText {
    Q_DECLARE_TR_FUNCTIONS(ReplyFiguresText)

public:
    static QString line(const ReplyFigures& figures);        // "412 tokens · 38.2 tok/s · first token 142 ms"
    static QString stopped(const MessageRecord& reply);      // why it stopped, as a phrase; empty for an ordinary end
    static bool canGoOn(const MessageRecord& reply);         // it was cut off, and there is something to go on from
    static QVariantList timing(const ReplyFigures& figures); // maps of "label", "value", "note"
    static QString verdict(const ReplyFigures& figures);
    static QString advice(const ReplyFigures& figures);      // what would help; empty when nothing needs help
    static bool isSlow(const ReplyFigures& figures);
    static QString duration(double ms);                      // "142 ms", "1.3 s", "2 min 5 s"
};

} // namespace steelyard
