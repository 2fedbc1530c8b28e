#include "gui/store/message_repository.h"

#include <QDateTime>
#include <QJsonDocument>

#include <algorithm>
#include <array>

namespace steelyard {

namespace {

const QString kColumns =
    QStringLiteral("id, chat_id, parent_id, role, content, reasoning, reasoning_ms, model_path, model_name, stop_reason, stop_sentence, created_at, "
                   "tokens, prompt_tokens, reused_tokens, ttft_ms, itl_p50_ms, itl_p95_ms, prefill_tokens_per_second, "
                   "decode_tokens_per_second, prefill_ms, queue_ms, tokenize_ms, seed, reuse_reason, reuse_ms, guesses_asked, guess_steps, guessed_tokens, "
                   "accepted_tokens, looked_up_tokens, looked_up_accepted, draft_ms, guess_problem, dropped_messages, dropped_tokens, "
                   "would_drop_messages, would_drop_tokens, reused_from_disk, reused_from_memory, moved_tokens, transfer_tokens, transfer_bytes, "
                   "transfer_ms, shifted_tokens, prefill_arithmetic_share, decode_bandwidth_share, "
                   "EXISTS (SELECT 1 FROM reply_tokens WHERE message_id = messages.id)");

const std::array<QString, 4> kRoles = {QStringLiteral("user"), QStringLiteral("assistant"), QStringLiteral("system"), QStringLiteral("tool")};

MessageRole roleOf(const QString& text) {
    const auto found = std::find(kRoles.begin(), kRoles.end(), text);
    return found == kRoles.end() ? MessageRole::User : MessageRole(found - kRoles.begin());
}

MessageRecord messageOf(const QSqlQuery& row) {
    MessageRecord message;
    message.id = row.value(0).toLongLong();
    message.chatId = row.value(1).toLongLong();
    message.parentId = row.value(2).toLongLong();
    message.role = roleOf(row.value(3).toString());
    message.content = row.value(4).toString();
    message.reasoning = row.value(5).toString();
    message.reasoningMs = row.value(6).toLongLong();
    message.modelPath = row.value(7).toString();
    message.modelName = row.value(8).toString();
    if (!row.value(9).isNull()) message.stopReason = row.value(9).toInt();
    message.stopSentence = row.value(10).toString();
    message.createdAtMs = row.value(11).toLongLong();
    message.hasTokens = row.value(47).toBool();
    if (row.value(12).isNull()) return message;
    ReplyFigures figures;
    figures.tokens = row.value(12).toInt();
    figures.promptTokens = row.value(13).toInt();
    figures.reusedTokens = row.value(14).toInt();
    figures.ttftMs = row.value(15).toDouble();
    figures.itlP50Ms = row.value(16).toDouble();
    figures.itlP95Ms = row.value(17).toDouble();
    figures.prefillTokensPerSecond = row.value(18).toDouble();
    figures.decodeTokensPerSecond = row.value(19).toDouble();
    figures.prefillMs = row.value(20).toDouble();
    figures.queueMs = row.value(21).toDouble();
    figures.tokenizeMs = row.value(22).toDouble();
    figures.seed = quint64(row.value(23).toLongLong());
    figures.reuseReason = row.value(24).toString();
    figures.reuseMs = row.value(25).toDouble();
    GuessFigures& guesses = figures.guesses;
    guesses.asked = row.value(26).toBool();
    guesses.steps = row.value(27).toInt();
    guesses.guessed = row.value(28).toInt();
    guesses.accepted = row.value(29).toInt();
    guesses.lookupGuessed = row.value(30).toInt();
    guesses.lookupAccepted = row.value(31).toInt();
    guesses.draftMs = row.value(32).toDouble();
    guesses.whyNot = row.value(33).toString();
    figures.droppedMessages = row.value(34).toInt();
    figures.droppedTokens = row.value(35).toInt();
    figures.wouldDropMessages = row.value(36).toInt();
    figures.wouldDropTokens = row.value(37).toInt();
    MoveFigures& moves = figures.moves;
    moves.fromDisk = row.value(38).toInt();
    moves.fromMemory = row.value(39).toInt();
    moves.andBack = row.value(40).toInt();
    moves.handedOver = row.value(41).toInt();
    moves.handedOverBytes = row.value(42).toULongLong();
    moves.handOverMs = row.value(43).toDouble();
    figures.shiftedTokens = row.value(44).toInt();
    figures.prefillArithmeticShare = row.value(45).toDouble();
    figures.decodeBandwidthShare = row.value(46).toDouble();
    message.figures = figures;
    return message;
}

QString text(const QString& value) {
    return value.isNull() ? QStringLiteral("") : value;
}

QVariant orNull(qint64 value) {
    return value == 0 ? QVariant(QMetaType::fromType<qint64>()) : QVariant(value);
}

// What a reply gains by its end, in the order of kFinalColumns.
const QString kFinalColumns =
    QStringLiteral("content = ?, reasoning = ?, reasoning_ms = ?, model_path = ?, model_name = ?, stop_reason = ?, stop_sentence = ?, tokens = ?, "
                   "prompt_tokens = ?, reused_tokens = ?, ttft_ms = ?, itl_p50_ms = ?, itl_p95_ms = ?, prefill_tokens_per_second = ?, "
                   "decode_tokens_per_second = ?, prefill_ms = ?, queue_ms = ?, tokenize_ms = ?, seed = ?, reuse_reason = ?, reuse_ms = ?, "
                   "guesses_asked = ?, guess_steps = ?, guessed_tokens = ?, accepted_tokens = ?, looked_up_tokens = ?, looked_up_accepted = ?, "
                   "draft_ms = ?, guess_problem = ?, dropped_messages = ?, dropped_tokens = ?, "
                   "would_drop_messages = ?, would_drop_tokens = ?, reused_from_disk = ?, reused_from_memory = ?, moved_tokens = ?, "
                   "transfer_tokens = ?, transfer_bytes = ?, transfer_ms = ?, shifted_tokens = ?, prefill_arithmetic_share = ?, decode_bandwidth_share = ?");
constexpr int kFigureColumns = 35; // from tokens on

QVariantList finalValues(const MessageRecord& message) {
    QVariantList values = {text(message.content), text(message.reasoning), message.reasoningMs, text(message.modelPath),
                           text(message.modelName), message.stopReason ? QVariant(*message.stopReason) : QVariant(QMetaType::fromType<int>()),
                           text(message.stopSentence)};
    if (!message.figures) {
        for (int i = 0; i < kFigureColumns; ++i) values.append(QVariant(QMetaType::fromType<int>()));
        return values;
    }
    const ReplyFigures& f = *message.figures;
    values << f.tokens << f.promptTokens << f.reusedTokens << f.ttftMs << f.itlP50Ms << f.itlP95Ms << f.prefillTokensPerSecond
           << f.decodeTokensPerSecond << f.prefillMs << f.queueMs << f.tokenizeMs << qint64(f.seed) << text(f.reuseReason) << f.reuseMs
           << f.guesses.asked << f.guesses.steps << f.guesses.guessed << f.guesses.accepted << f.guesses.lookupGuessed
           << f.guesses.lookupAccepted << f.guesses.draftMs << text(f.guesses.whyNot) << f.droppedMessages << f.droppedTokens
           << f.wouldDropMessages << f.wouldDropTokens << f.moves.fromDisk << f.moves.fromMemory << f.moves.andBack << f.moves.handedOver
           << qint64(f.moves.handedOverBytes) << f.moves.handOverMs << f.shiftedTokens
           << f.prefillArithmeticShare << f.decodeBandwidthShare;
    return values;
}

} // namespace

Result<qint64> MessageRepository::add(const MessageRecord& message) {
    if (message.parentId != 0) {
        auto parentChat = m_database.value(QStringLiteral("SELECT chat_id FROM messages WHERE id = ?"), {message.parentId});
        if (!parentChat) return parentChat.error();
        if (parentChat->toLongLong() != message.chatId)
            return Error{tr("The message before this one is not in this chat any more.").toStdString()};
    }
    const qint64 now = message.createdAtMs != 0 ? message.createdAtMs : QDateTime::currentMSecsSinceEpoch();
    auto added = m_database.run(QStringLiteral("INSERT INTO messages (chat_id, parent_id, role, created_at) VALUES (?, ?, ?, ?)"),
                                {message.chatId, orNull(message.parentId), kRoles.at(size_t(message.role)), now});
    if (!added) return added.error();
    MessageRecord stored = message;
    stored.id = added->lastInsertId().toLongLong();
    if (auto done = finish(stored); !done) return done.error();
    auto selected = m_database.execute(QStringLiteral("UPDATE chats SET selected_leaf = ?, updated_at = max(updated_at, ?) WHERE id = ?"),
                                       {stored.id, now, message.chatId});
    if (!selected) return selected.error();
    return stored.id;
}

Result<MessageRecord> MessageRepository::get(qint64 id) {
    auto rows = m_database.run(QStringLiteral("SELECT %1 FROM messages WHERE id = ?").arg(kColumns), {id});
    if (!rows) return rows.error();
    if (!rows->next()) return Error{tr("This message no longer exists.").toStdString()};
    return messageOf(*rows);
}

Result<void> MessageRepository::saveProgress(qint64 id, const QString& content, const QString& reasoning, qint64 reasoningMs) {
    return m_database.execute(QStringLiteral("UPDATE messages SET content = ?, reasoning = ?, reasoning_ms = ? WHERE id = ?"),
                              {text(content), text(reasoning), reasoningMs, id});
}

Result<void> MessageRepository::finish(const MessageRecord& message) {
    QVariantList values = finalValues(message);
    values.append(message.id);
    auto done = m_database.run(QStringLiteral("UPDATE messages SET %1 WHERE id = ?").arg(kFinalColumns), values);
    if (!done) return done.error();
    if (done->numRowsAffected() == 0) return Error{tr("This message no longer exists.").toStdString()};
    return {};
}

Result<void> MessageRepository::addTokens(qint64 id, const QJsonArray& tokens) {
    const auto before = this->tokens(id);
    if (!before) return before.error();
    QJsonArray all = QJsonDocument::fromJson(before->toUtf8()).array();
    for (const auto& token : tokens) all.append(token);
    return m_database.execute(QStringLiteral("INSERT OR REPLACE INTO reply_tokens (message_id, tokens) VALUES (?, ?)"),
                              {id, QString::fromUtf8(QJsonDocument(all).toJson(QJsonDocument::Compact))});
}

Result<QString> MessageRepository::tokens(qint64 id) {
    auto stored = m_database.value(QStringLiteral("SELECT (SELECT tokens FROM reply_tokens WHERE message_id = ?)"), {id});
    if (!stored) return stored.error();
    return stored->toString();
}

Result<QVector<MessageRecord>> MessageRepository::path(qint64 leafId) {
    auto rows = m_database.run(QStringLiteral("WITH RECURSIVE branch (id, parent, depth) AS ("
                                              " SELECT id, parent_id, 0 FROM messages WHERE id = ?"
                                              " UNION ALL SELECT m.id, m.parent_id, b.depth + 1 FROM messages m JOIN branch b ON m.id = b.parent)"
                                              " SELECT %1 FROM messages JOIN (SELECT id AS branch_id, depth FROM branch) ON id = branch_id"
                                              " ORDER BY depth DESC")
                                   .arg(kColumns),
                               {leafId});
    if (!rows) return rows.error();
    QVector<MessageRecord> messages;
    while (rows->next()) messages.append(messageOf(*rows));
    return messages;
}

Result<QVector<ThreadMessage>> MessageRepository::thread(qint64 chatId) {
    auto leaf = m_database.value(QStringLiteral("SELECT selected_leaf FROM chats WHERE id = ?"), {chatId});
    if (!leaf) return leaf.error();
    auto messages = path(leaf->toLongLong());
    if (!messages) return messages.error();
    // All siblings of the chat in one query: (parent, id) is small even in a long chat.
    auto rows = m_database.run(QStringLiteral("SELECT ifnull(parent_id, 0), id FROM messages WHERE chat_id = ? ORDER BY id"), {chatId});
    if (!rows) return rows.error();
    QHash<qint64, QVector<qint64>> children;
    while (rows->next()) children[rows->value(0).toLongLong()].append(rows->value(1).toLongLong());
    QVector<ThreadMessage> thread;
    thread.reserve(messages->size());
    for (const MessageRecord& message : *messages) {
        ThreadMessage shown;
        shown.message = message;
        shown.siblings = children.value(message.parentId);
        shown.branch = int(shown.siblings.indexOf(message.id));
        thread.append(shown);
    }
    return thread;
}

Result<qint64> MessageRepository::newestLeafUnder(qint64 messageId) {
    qint64 leaf = messageId;
    for (;;) {
        auto child = m_database.value(QStringLiteral("SELECT max(id) FROM messages WHERE parent_id = ?"), {leaf});
        if (!child) return child.error();
        if (child->isNull()) return leaf;
        leaf = child->toLongLong();
    }
}

Result<qint64> MessageRepository::selectBranch(qint64 messageId) {
    const auto message = get(messageId);
    if (!message) return message.error();
    const auto leaf = newestLeafUnder(messageId);
    if (!leaf) return leaf.error();
    auto done = m_database.execute(QStringLiteral("UPDATE chats SET selected_leaf = ? WHERE id = ?"), {*leaf, message->chatId});
    if (!done) return done.error();
    return *leaf;
}

Result<void> MessageRepository::removeBranch(qint64 messageId) {
    const auto message = get(messageId);
    if (!message) return message.error();
    auto selected = m_database.value(QStringLiteral("SELECT selected_leaf FROM chats WHERE id = ?"), {message->chatId});
    if (!selected) return selected.error();
    const auto shown = path(selected->toLongLong());
    if (!shown) return shown.error();
    const bool wasShown = std::any_of(shown->begin(), shown->end(), [&](const MessageRecord& m) { return m.id == messageId; });
    auto removed = m_database.execute(QStringLiteral("WITH RECURSIVE branch (id) AS (SELECT ? UNION ALL "
                                                     "SELECT m.id FROM messages m JOIN branch b ON m.parent_id = b.id) "
                                                     "DELETE FROM messages WHERE id IN branch"),
                                      {messageId});
    if (!removed) return removed;
    if (!wasShown) return {};
    auto sibling = m_database.value(QStringLiteral("SELECT max(id) FROM messages WHERE chat_id = ? AND parent_id IS ?"),
                                    {message->chatId, orNull(message->parentId)});
    if (!sibling) return sibling.error();
    if (!sibling->isNull()) {
        auto chosen = selectBranch(sibling->toLongLong());
        if (!chosen) return chosen.error();
        return {};
    }
    return m_database.execute(QStringLiteral("UPDATE chats SET selected_leaf = ? WHERE id = ?"), {orNull(message->parentId), message->chatId});
}

} // namespace steelyard
