#include "gui/chat/reply_figures_text.h"

#include "gui/chat/reply_runner.h"
#include "gui/engine_client/amounts.h"
#include "gui/engine_client/engine_client.h"
#include "gui/engine_client/engine_words.h"

#include <QLocale>

namespace steelyard {

QString ReplyFiguresText::line(const ReplyFigures& figures) {
    QStringList parts{tr("%Ln token(s)", nullptr, figures.tokens)};
    if (figures.decodeTokensPerSecond > 0) parts += tr("%1 tok/s").arg(decimalInWords(figures.decodeTokensPerSecond));
    if (figures.ttftMs > 0) parts += tr("first token %1").arg(durationInWords(figures.ttftMs));
    if (figures.droppedMessages > 0) parts += tr("without the %Ln oldest message(s)", nullptr, figures.droppedMessages);
    if (figures.shiftedTokens > 0) parts += tr("approximate");
    return parts.join(QStringLiteral(" · "));
}

QString ReplyFiguresText::status(const LiveReply& reply) {
    const QLocale locale;
    switch (reply.phase) {
    case LiveReply::Phase::WaitingForTurn: return tr("Waiting for another reply to end");
    case LiveReply::Phase::LoadingModel: return tr("Loading the model: %1 %").arg(qRound(reply.loadFraction * 100));
    case LiveReply::Phase::Queued:
        return reply.repliesBefore > 0 ? tr("Waiting for its turn (%Ln before it)", nullptr, reply.repliesBefore) : tr("Waiting for its turn");
    case LiveReply::Phase::Reading: {
        const int all = reply.promptTokens - reply.reusedTokens;
        if (all <= 0 || reply.readTokens <= 0) return tr("Reading the prompt");
        return tr("Reading the prompt: %1 of %2 tokens").arg(locale.toString(reply.readTokens), locale.toString(all));
    }
    case LiveReply::Phase::Writing: break;
    }
    return {};
}

QString ReplyFiguresText::stopped(const MessageRecord& reply) {
    if (!reply.stopReason) return tr("cut off when the program ended");
    switch (static_cast<StopReason>(*reply.stopReason)) {
    case StopReason::EndToken: return {};
    case StopReason::StopString: return tr("ended at a stop text");
    case StopReason::TokenLimit: return tr("reached the reply limit");
    case StopReason::ContextFull: return tr("context is full");
    case StopReason::Cancelled: return reply.stopSentence.isEmpty() ? tr("stopped") : inWords(reply.stopSentence);
    case StopReason::Failed: return reply.stopSentence.isEmpty() ? tr("failed") : inWords(reply.stopSentence);
    }
    return {};
}

bool ReplyFiguresText::canGoOn(const MessageRecord& reply) {
    if (reply.content.isEmpty() && reply.reasoning.isEmpty()) return false;
    if (!reply.stopReason) return true; // cut off when the program ended
    switch (static_cast<StopReason>(*reply.stopReason)) {
    case StopReason::EndToken:
    case StopReason::StopString: return false;
    case StopReason::TokenLimit:
    case StopReason::ContextFull:
    case StopReason::Cancelled:
    case StopReason::Failed: return true;
    }
    return false;
}

} // namespace steelyard
