// From the stored messages of a branch to what the engine is asked.
//
// Invariant: a model with a chat template gets messages whose roles alternate, whatever was stopped or left empty; a base
// model gets the texts in order, to be continued. Text never holds half of a surrogate pair. Knows nothing of templates.
#pragma once

#include "gui/engine_client/engine_client.h"
#include "gui/store/records.h"

#include <QString>
#include <QVector>

namespace steelyard {

// `path` ends with the message that is to be answered.
Prompt buildPrompt(const QString& systemPrompt, const QVector<MessageRecord>& path, bool hasChatTemplate);

// The stored messages that the first `count` messages of that prompt are made of, the system prompt not counted.
QVector<MessageRecord> oldestMessages(const QVector<MessageRecord>& path, int count);

// The text with each half of a surrogate pair replaced by U+FFFD, so that it can be stored and sent.
QString wholeCharacters(QString text);

// A chat's title from its first question: its first line with text, shortened at a word.
QString titleFrom(const QString& question);

} // namespace steelyard
