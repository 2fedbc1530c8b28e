#include "gui/chat/reply_figures_text.h"

#include "gui/engine_client/engine_client.h"
#include "gui/engine_client/engine_words.h"

#include <QLocale>

namespace steelyard {
namespace {

constexpr double kSlowStartMs = 1000, kInstantMs = 200, kSlowStreamMs = 100;

QVariantMap row(const QString& label, const QString& value, const QString& note = {}) {
    return {{QStringLiteral("label"), label}, {QStringLiteral("value"), value}, {QStringLiteral("note"), note}};
}

QString decimal(double value) { return QLocale().toString(value, 'f', value < 100 ? 1 : 0); }

} // namespace

QString ReplyFiguresText::duration(double ms) {
    const QLocale locale;
    if (ms < 10) return tr("%1 ms").arg(locale.toString(ms, 'f', 1));
    if (ms < 1000) return tr("%1 ms").arg(locale.toString(qRound64(ms)));
    if (ms < 10000) return tr("%1 s").arg(locale.toString(ms / 1000, 'f', 1));
    const qint64 seconds = qRound64(ms / 1000);
    if (seconds < 60) return tr("%1 s").arg(locale.toString(seconds));
    return tr("%1 min %2 s").arg(locale.toString(seconds / 60), locale.toString(seconds % 60));
}

QString ReplyFiguresText::line(const ReplyFigures& figures) {
    QStringList parts{tr("%Ln token(s)", nullptr, figures.tokens)};
    if (figures.decodeTokensPerSecond > 0) parts += tr("%1 tok/s").arg(decimal(figures.decodeTokensPerSecond));
    if (figures.ttftMs > 0) parts += tr("first token %1").arg(duration(figures.ttftMs));
    return parts.join(QStringLiteral(" · "));
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

QVariantList ReplyFiguresText::timing(const ReplyFigures& figures) {
    QVariantList rows;
    rows += row(tr("Tokenize"), duration(figures.tokenizeMs), tr("%Ln prompt token(s)", nullptr, figures.promptTokens));
    rows += row(tr("Queue"), duration(figures.queueMs), figures.queueMs < 1 ? QString() : tr("waited for other work"));
    rows += row(tr("Prefix reused"), tr("%Ln token(s)", nullptr, figures.reusedTokens), inWords(figures.reuseReason));
    const int read = figures.promptTokens - figures.reusedTokens;
    rows += row(tr("Prefill"), duration(figures.prefillMs),
                figures.prefillTokensPerSecond > 0
                    ? tr("%Ln token(s) read", nullptr, read) + QStringLiteral(" · ") +
                          tr("%1 tok/s").arg(decimal(figures.prefillTokensPerSecond))
                    : tr("%Ln token(s) read", nullptr, read));
    if (figures.ttftMs > 0) rows += row(tr("First token"), duration(figures.ttftMs), tr("from Send to the first visible character"));
    if (figures.itlP50Ms > 0) {
        rows += row(tr("Between tokens, median"), duration(figures.itlP50Ms),
                    figures.decodeTokensPerSecond > 0 ? tr("%1 tok/s").arg(decimal(figures.decodeTokensPerSecond)) : QString());
        rows += row(tr("Between tokens, 95 %"), duration(figures.itlP95Ms), tr("one in twenty waits longer"));
    }
    rows += row(tr("Seed"), QString::number(figures.seed));
    return rows;
}

bool ReplyFiguresText::isSlow(const ReplyFigures& figures) {
    return figures.ttftMs >= kSlowStartMs || figures.itlP50Ms > kSlowStreamMs;
}

QString ReplyFiguresText::verdict(const ReplyFigures& figures) {
    const bool slowStart = figures.ttftMs >= kSlowStartMs, slowStream = figures.itlP50Ms > kSlowStreamMs;
    if (slowStart && slowStream) return tr("Slow to start and slow to stream");
    if (slowStart) return tr("Slow to start");
    if (slowStream) return tr("Slow to stream");
    return figures.ttftMs < kInstantMs ? tr("Started like any program, streamed at ease") : tr("Started at once, streamed at ease");
}

QString ReplyFiguresText::advice(const ReplyFigures& figures) {
    QStringList advice;
    if (figures.ttftMs >= kSlowStartMs) {
        if (figures.queueMs > figures.prefillMs)
            advice += tr("Most of the wait was other work: let one reply finish before the next.");
        else if (figures.reusedTokens * 2 < figures.promptTokens && !figures.reuseReason.isEmpty())
            advice += tr("Most of the wait was reading the prompt. Going on in the same chat reads only what is new.");
        else
            advice += tr("Most of the wait was reading the prompt. A shorter prompt, a smaller model or a faster device helps.");
    }
    if (figures.itlP50Ms > kSlowStreamMs)
        advice += tr("Each token waits for the weights to be read: a smaller model, a smaller quantization or a faster device helps.");
    return advice.join(QLatin1Char(' '));
}

} // namespace steelyard
