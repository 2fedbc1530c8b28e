// A file of text that was dropped into the input, as text for a question.
//
// Invariant: only whole, valid text is taken, at most kMaxDroppedBytes; anything else gives a sentence. Blocks while it reads:
// call it off the GUI thread.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace steelyard {

constexpr qint64 kMaxDroppedBytes = 4 * 1024 * 1024;

struct DroppedText {
    Q_DECLARE_TR_FUNCTIONS(DroppedText)

public:
    QString text;    // the name and the content, fenced so that the content stands as it is
    QString problem; // a sentence instead

    static DroppedText read(const QString& path);
};

} // namespace steelyard
