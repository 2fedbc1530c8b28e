// Tells apart what a model thinks and what it says, in the text of one reply as it streams.
//
// A reply thinks when it begins with an opening tag that models use, or when it closes one that its prompt had opened.
// Invariant: reasoning and answer together hold all of the text but the tags and the blank lines around them. A tag that
// is only half there counts as neither. Knows nothing of models.
#pragma once

#include <QString>

namespace steelyard {

struct ReplyParts {
    QString reasoning, answer;
    bool thinking = false; // the reasoning is not closed yet
};

// `complete` = no more text will come: then half a tag is text.
ReplyParts splitReply(const QString& text, bool complete);

// The text of a reply of which only the parts are known, so that splitReply() gives the parts again.
QString joinReply(const QString& reasoning, const QString& answer);

} // namespace steelyard
