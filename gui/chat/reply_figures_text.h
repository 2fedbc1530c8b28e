// What the window says of a reply: what it does now, the line under it, why it stopped. Its sheet is reply_sheet.h.
//
// Invariant: only figures that were measured are shown. Knows nothing of how it is laid out.
#pragma once

#include "gui/store/records.h"

#include <QCoreApplication>
#include <QString>

namespace steelyard {

struct LiveReply;

class ReplyFiguresText {
    Q_DECLARE_TR_FUNCTIONS(ReplyFiguresText)

public:
    static QString line(const ReplyFigures& figures);        // "412 tokens · 38.2 tok/s · first token 142 ms"
    static QString stopped(const MessageRecord& reply);      // why it stopped, as a phrase; empty for an ordinary end
    static bool canGoOn(const MessageRecord& reply);         // it was cut off, and there is something to go on from
    static QString status(const LiveReply& reply);           // "Reading the prompt: 12 of 300 tokens"; empty while it writes
};

} // namespace steelyard
