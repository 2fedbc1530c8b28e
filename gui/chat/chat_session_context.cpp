// How full the context of the open chat is, and the ways on when it is full.
#include "gui/chat/chat_session.h"

#include "gui/chat/prompt_builder.h"
#include "gui/store/model_list.h"

#include <QLocale>

#include <algorithm>

namespace steelyard {
namespace {

constexpr double kCharactersPerToken = 3.5; // of a draft, until the model has read it
constexpr qsizetype kPreview = 120;         // characters of a message that would go

} // namespace

int ChatSession::contextUsed() const {
    if (const LiveReply* live = m_chat.id != 0 ? m_runner->liveOfChat(m_chat.id) : nullptr; live && live->promptTokens > 0)
        return live->promptTokens + live->tokens;
    for (const ThreadMessage* message = m_thread.last(); message; message = m_thread.find(message->message.parentId))
        if (message->message.figures) return message->message.figures->promptTokens + message->message.figures->tokens - message->message.figures->shiftedTokens;
    return 0;
}

int ChatSession::contextDraft() const { return static_cast<int>(double(m_chat.draft.size()) / kCharactersPerToken + 0.5); }

int ChatSession::contextTotal() const {
    if (m_engine->facts() && m_engine->modelPath() == m_chat.modelPath) return static_cast<int>(m_engine->facts()->contextLength);
    if (m_chat.modelPath.isEmpty()) return 0;
    const quint32 wanted = loadOptions().contextLength;
    const qint64 total = wanted > 0 ? wanted : kDefaultContext;
    const ModelEntry* entry = m_models->find(m_chat.modelPath);
    return static_cast<int>(entry && entry->trainedContext > 0 ? std::min(total, entry->trainedContext) : total);
}

int ChatSession::longerContextLength() const {
    qint64 trained = 0;
    if (const ModelEntry* entry = m_models->find(m_chat.modelPath)) trained = entry->trainedContext;
    if (m_engine->facts() && m_engine->modelPath() == m_chat.modelPath) trained = m_engine->facts()->trainedContext;
    const qint64 longer = std::min<qint64>(2 * qint64(contextTotal()), trained);
    return longer > contextTotal() ? static_cast<int>(longer) : 0;
}

void ChatSession::useLongerContext(qint64 replyId) {
    const int length = longerContextLength();
    if (length == 0 || m_asking) return;
    LoadOptions options = loadOptions();
    options.contextLength = static_cast<quint32>(length);
    m_engine->plan(options, this, [this, length, replyId, generation = m_generation](const Result<MemoryPlan>& plan) {
        if (generation != m_generation) return;
        const QLocale locale;
        if (plan && plan->fit == MemoryPlan::Fit::WillNotFit) {
            emit failed(tr("A context of %1 tokens does not fit into memory: %2 are missing.")
                            .arg(locale.toString(length), bytesInWords(static_cast<qint64>(plan->missingBytes))));
            return;
        }
        setContextLength(length);
        goOn(replyId); // the order carries the longer context, which loads the model anew
    });
}

void ChatSession::newFromHere() {
    QString question;
    for (const ThreadMessage* message = m_thread.last(); message; message = m_thread.find(message->message.parentId)) {
        if (message->message.role != MessageRole::User) continue;
        question = message->message.content;
        break;
    }
    emit newChatWanted(m_chat, question);
}

QVariantMap ChatSession::wouldGo(qint64 replyId) const {
    const ThreadMessage* reply = m_thread.find(replyId);
    if (!reply || !reply->message.figures || reply->message.figures->wouldDropMessages == 0) return {};
    const ReplyFigures& figures = *reply->message.figures;
    QVariantList rows;
    for (const MessageRecord& message : oldestMessages(m_thread.pathTo(reply->message.parentId), figures.wouldDropMessages))
        rows += QVariantMap{{QStringLiteral("who"), message.role == MessageRole::User ? tr("You") : message.modelName},
                            {QStringLiteral("text"), message.content.simplified().left(kPreview)}};
    return {{QStringLiteral("messages"), figures.wouldDropMessages}, {QStringLiteral("tokens"), figures.wouldDropTokens}, {QStringLiteral("rows"), rows}};
}

void ChatSession::dropOldest(qint64 replyId) {
    if (busy()) return;
    setOverflow(static_cast<int>(Overflow::DropOldest));
    goOn(replyId);
}

} // namespace steelyard
