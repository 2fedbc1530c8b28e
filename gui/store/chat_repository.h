// The chats: one row each, deleted ones kept until the next start so that a deletion can be undone.
//
// Invariant: lists never show a deleted chat. Runs on the store thread inside the caller's transaction. Knows nothing of the
// text of messages.
#pragma once

#include "gui/store/database.h"
#include "gui/store/records.h"

namespace steelyard {

class ChatRepository {
    Q_DECLARE_TR_FUNCTIONS(ChatRepository)

public:
    explicit ChatRepository(Database& database) : m_database(database) {}

    // Pinned ones first, then the ones used last.
    Result<QVector<ChatRecord>> list();
    Result<ChatRecord> get(qint64 id);
    // Returns the new id.
    Result<qint64> create(const ChatRecord& chat);

    Result<void> rename(qint64 id, const QString& title, bool own);
    Result<void> setSystemPrompt(qint64 id, const QString& text);
    Result<void> setSampling(qint64 id, const QJsonObject& sampling);
    Result<void> setModelPath(qint64 id, const QString& path);
    Result<void> setPinned(qint64 id, bool pinned);
    Result<void> setFolder(qint64 id, const QString& folder);
    Result<void> setDraft(qint64 id, const QString& draft);
    Result<void> setSelectedLeaf(qint64 id, qint64 messageId); // 0 = none

    // Hides the chat; restore brings it back whole.
    Result<void> remove(qint64 id);
    Result<void> restore(qint64 id);
    // Deletes for good what was removed before `timeMs`; returns how many.
    Result<int> purgeRemoved(qint64 timeMs);

private:
    Result<void> set(qint64 id, const char* column, const QVariant& value);

    Database& m_database;
};

} // namespace steelyard
