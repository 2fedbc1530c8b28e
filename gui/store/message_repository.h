// The messages of all chats. Those of one chat form a tree: editing or asking again adds a sibling, nothing is overwritten.
//
// Invariant: a message's parent belongs to the same chat and never changes; a chat's selected leaf is a message without
// selected children. Runs on the store thread inside the caller's transaction. Knows nothing of prompts or templates.
#pragma once

#include "gui/store/database.h"
#include "gui/store/records.h"

#include <QJsonArray>

namespace steelyard {

class MessageRepository {
    Q_DECLARE_TR_FUNCTIONS(MessageRepository)

public:
    explicit MessageRepository(Database& database) : m_database(database) {}

    // Stores the message, makes it the chat's selected leaf and touches the chat's time. Returns the new id.
    Result<qint64> add(const MessageRecord& message);
    Result<MessageRecord> get(qint64 id);

    // A reply while it streams; call it at least once a second, with Durability::Relaxed. The text is whole each time.
    Result<void> saveProgress(qint64 id, const QString& content, const QString& reasoning, qint64 reasoningMs = 0);
    // A finished reply: text, reasoning, model, stop reason, sentence and figures of `message`, by its id.
    Result<void> finish(const MessageRecord& message);

    // How probable the tokens of a reply were: a list in the form of resources/sql. Those of a reply that went on come behind the first.
    Result<void> addTokens(qint64 id, const QJsonArray& tokens);
    Result<QString> tokens(qint64 id); // empty when there are none

    // The shown branch, from the first message to the selected leaf.
    Result<QVector<ThreadMessage>> thread(qint64 chatId);
    // From the first message to `leafId`, whatever is selected.
    Result<QVector<MessageRecord>> path(qint64 leafId);
    // Shows the branch that goes through `messageId`, down to the newest message under it. Returns the selected leaf.
    Result<qint64> selectBranch(qint64 messageId);
    // Deletes the message with all that follows it; where it was shown, its newest sibling's branch, else its parent, is shown instead.
    Result<void> removeBranch(qint64 messageId);

private:
    Result<qint64> newestLeafUnder(qint64 messageId);

    Database& m_database;
};

} // namespace steelyard
