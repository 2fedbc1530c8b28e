#include "gui/store/chat_repository.h"

#include <QDateTime>
#include <QJsonDocument>

namespace steelyard {

namespace {

const QString kColumns = QStringLiteral("id, title, title_is_own, system_prompt, sampling, model_path, pinned, folder, selected_leaf, draft, "
                                        "created_at, updated_at, deleted_at");

ChatRecord chatOf(const QSqlQuery& row) {
    ChatRecord chat;
    chat.id = row.value(0).toLongLong();
    chat.title = row.value(1).toString();
    chat.titleIsOwn = row.value(2).toBool();
    chat.systemPrompt = row.value(3).toString();
    chat.sampling = QJsonDocument::fromJson(row.value(4).toByteArray()).object();
    chat.modelPath = row.value(5).toString();
    chat.pinned = row.value(6).toBool();
    chat.folder = row.value(7).toString();
    chat.selectedLeaf = row.value(8).toLongLong();
    chat.draft = row.value(9).toString();
    chat.createdAtMs = row.value(10).toLongLong();
    chat.updatedAtMs = row.value(11).toLongLong();
    chat.deletedAtMs = row.value(12).toLongLong();
    return chat;
}

QString jsonText(const QJsonObject& object) {
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

// A null string would be stored as NULL, which the columns refuse.
QString text(const QString& value) {
    return value.isNull() ? QStringLiteral("") : value;
}

QVariant orNull(const QString& value) {
    return value.isEmpty() ? QVariant(QMetaType::fromType<QString>()) : QVariant(value);
}

QVariant orNull(qint64 value) {
    return value == 0 ? QVariant(QMetaType::fromType<qint64>()) : QVariant(value);
}

} // namespace

Result<QVector<ChatRecord>> ChatRepository::list() {
    auto rows = m_database.run(QStringLiteral("SELECT %1 FROM chats WHERE deleted_at IS NULL ORDER BY pinned DESC, updated_at DESC, id DESC")
                                   .arg(kColumns));
    if (!rows) return rows.error();
    QVector<ChatRecord> chats;
    while (rows->next()) chats.append(chatOf(*rows));
    return chats;
}

Result<ChatRecord> ChatRepository::get(qint64 id) {
    auto rows = m_database.run(QStringLiteral("SELECT %1 FROM chats WHERE id = ?").arg(kColumns), {id});
    if (!rows) return rows.error();
    if (!rows->next()) return Error{tr("This chat no longer exists.").toStdString()};
    return chatOf(*rows);
}

Result<qint64> ChatRepository::create(const ChatRecord& chat) {
    const qint64 now = chat.createdAtMs != 0 ? chat.createdAtMs : QDateTime::currentMSecsSinceEpoch();
    auto done = m_database.run(
        QStringLiteral("INSERT INTO chats (title, title_is_own, system_prompt, sampling, model_path, pinned, folder, draft, created_at, updated_at) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        {text(chat.title), chat.titleIsOwn, text(chat.systemPrompt), jsonText(chat.sampling), text(chat.modelPath), chat.pinned,
         orNull(chat.folder), text(chat.draft), now, chat.updatedAtMs != 0 ? chat.updatedAtMs : now});
    if (!done) return done.error();
    return done->lastInsertId().toLongLong();
}

Result<void> ChatRepository::set(qint64 id, const char* column, const QVariant& value) {
    auto done = m_database.run(QStringLiteral("UPDATE chats SET %1 = ? WHERE id = ?").arg(QString::fromLatin1(column)), {value, id});
    if (!done) return done.error();
    if (done->numRowsAffected() == 0) return Error{tr("This chat no longer exists.").toStdString()};
    return {};
}

Result<void> ChatRepository::rename(qint64 id, const QString& title, bool own) {
    if (auto done = set(id, "title", text(title)); !done) return done;
    return set(id, "title_is_own", own);
}

Result<void> ChatRepository::setSystemPrompt(qint64 id, const QString& prompt) {
    return set(id, "system_prompt", text(prompt));
}

Result<void> ChatRepository::setSampling(qint64 id, const QJsonObject& sampling) {
    return set(id, "sampling", jsonText(sampling));
}

Result<void> ChatRepository::setModelPath(qint64 id, const QString& path) {
    return set(id, "model_path", text(path));
}

Result<void> ChatRepository::setPinned(qint64 id, bool pinned) {
    return set(id, "pinned", pinned);
}

Result<void> ChatRepository::setFolder(qint64 id, const QString& folder) {
    return set(id, "folder", orNull(folder));
}

Result<void> ChatRepository::setDraft(qint64 id, const QString& draft) {
    return set(id, "draft", text(draft));
}

Result<void> ChatRepository::setSelectedLeaf(qint64 id, qint64 messageId) {
    return set(id, "selected_leaf", orNull(messageId));
}

Result<void> ChatRepository::remove(qint64 id) {
    return set(id, "deleted_at", QDateTime::currentMSecsSinceEpoch());
}

Result<void> ChatRepository::restore(qint64 id) {
    return set(id, "deleted_at", orNull(qint64(0)));
}

Result<int> ChatRepository::purgeRemoved(qint64 timeMs) {
    auto done = m_database.run(QStringLiteral("DELETE FROM chats WHERE deleted_at < ?"), {timeMs});
    if (!done) return done.error();
    return done->numRowsAffected();
}

} // namespace steelyard
