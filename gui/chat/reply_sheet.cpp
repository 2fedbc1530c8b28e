#include "gui/chat/reply_sheet.h"

#include "gui/chat/reply_figures_text.h"
#include "gui/chat/reuse_reasons.h"
#include "gui/engine_client/amounts.h"
#include "gui/engine_client/engine_words.h"
#include "gui/store/model_list.h"

#include <QLocale>

#include <algorithm>

namespace steelyard {
namespace {

QVariantMap row(const QString& label, const QString& value, const QString& note = {}, double share = -1) {
    return {{QStringLiteral("label"), label}, {QStringLiteral("value"), value}, {QStringLiteral("note"), note}, {QStringLiteral("share"), share}};
}

QString percent(double part, double whole) { return QLocale().toString(whole > 0 ? qRound(100 * part / whole) : 0); }


} // namespace

QVariantMap ReplySheet::map() const {
    QVariantList sections;
    const auto add = [&](const QString& title, const QVariantList& rows) {
        if (!rows.isEmpty()) sections += QVariantMap{{QStringLiteral("title"), title}, {QStringLiteral("rows"), rows}};
    };
    add(tr("Until the first word"), startRows());
    add(tr("Cache"), cacheRows());
    add(tr("Streaming"), streamRows());
    add(tr("Share of the device"), deviceRows());
    add(tr("Guessing ahead"), guessRows());
    add(tr("Sampling"), otherRows());
    return {{QStringLiteral("verdict"), verdict()},
            {QStringLiteral("slow"), slowToStart() || slowToStream()},
            {QStringLiteral("longest"), longest()},
            {QStringLiteral("advice"), advice()},
            {QStringLiteral("sections"), sections}};
}

// --- The verdict

QString ReplySheet::verdict() const {
    if (slowToStart() && slowToStream()) return tr("Slow to start and slow to stream");
    if (slowToStart()) return tr("Slow to start");
    if (slowToStream()) return tr("Slow to stream");
    return m.ttftMs < kInstantMs ? tr("Started like any program, streamed at ease") : tr("Started at once, streamed at ease");
}

double ReplySheet::stageMs(Stage stage) const {
    switch (stage) {
    case Stage::Queue: return m.queueMs;
    case Stage::Tokenize: return m.tokenizeMs;
    case Stage::Reuse: return m.reuseMs;
    case Stage::Prefill: return m.prefillMs;
    case Stage::HandOver: return m.moves.handOverMs;
    case Stage::First: break;
    }
    return std::max(0.0, m.ttftMs - m.queueMs - m.tokenizeMs - m.reuseMs - m.prefillMs - m.moves.handOverMs);
}

ReplySheet::Stage ReplySheet::longestStage() const {
    Stage longest = Stage::Prefill;
    for (const Stage stage : {Stage::Queue, Stage::Tokenize, Stage::Reuse, Stage::HandOver, Stage::First})
        if (stageMs(stage) > stageMs(longest)) longest = stage;
    return longest;
}

QString ReplySheet::longest() const {
    if (m.ttftMs <= 0) return {};
    const Stage stage = longestStage();
    const QString took = percent(stageMs(stage), m.ttftMs), all = durationInWords(m.ttftMs);
    switch (stage) {
    case Stage::Queue: return tr("Waiting for other replies took longest: %1 % of the %2 until the first word.").arg(took, all);
    case Stage::Tokenize: return tr("Cutting the prompt into tokens took longest: %1 % of the %2 until the first word.").arg(took, all);
    case Stage::Reuse: return tr("Looking up what the cache holds took longest: %1 % of the %2 until the first word.").arg(took, all);
    case Stage::Prefill: return tr("Reading the prompt took longest: %1 % of the %2 until the first word.").arg(took, all);
    case Stage::HandOver: return tr("Handing the prompt over from the device that read it took longest: %1 % of the %2 until the first word.").arg(took, all);
    case Stage::First: return tr("The first tokens took longest: %1 % of the %2 until the first word. They show nothing yet.").arg(took, all);
    }
    return {};
}

QString ReplySheet::advice() const {
    QStringList advice;
    if (slowToStart()) {
        switch (longestStage()) {
        case Stage::Queue: advice += tr("Let one reply finish before the next, or stop those that are not needed."); break;
        case Stage::Tokenize:
        case Stage::Reuse: advice += tr("A shorter prompt helps."); break;
        case Stage::Prefill:
            if (m.reusedTokens * 2 < m.promptTokens && !m.reuseReason.isEmpty())
                advice += tr("Going on in the same chat reads only what is new.");
            else
                advice += tr("A shorter prompt, a smaller model or a faster device helps.");
            break;
        case Stage::HandOver: advice += tr("Without a device of its own for prompts nothing is handed over."); break;
        case Stage::First: advice += tr("A smaller model or a faster device helps."); break;
        }
    }
    if (slowToStream())
        advice += tr("Each token waits for the weights to be read: a smaller model, a smaller quantization or a faster device helps.");
    return advice.join(QLatin1Char(' '));
}

// --- The rows

QVariantList ReplySheet::startRows() const {
    const auto share = [&](Stage stage) { return m.ttftMs > 0 ? std::min(1.0, stageMs(stage) / m.ttftMs) : -1; };
    QVariantList rows;
    rows += row(tr("Queue"), durationInWords(m.queueMs), m.queueMs < 1 ? QString() : tr("waited for other work"), share(Stage::Queue));
    rows += row(tr("Tokenize"), durationInWords(m.tokenizeMs), tr("%Ln prompt token(s)", nullptr, m.promptTokens), share(Stage::Tokenize));
    rows += row(tr("Look up in the cache"), durationInWords(m.reuseMs), {}, share(Stage::Reuse));
    const int read = m.promptTokens - m.reusedTokens;
    const QString readWords = tr("%Ln token(s) read", nullptr, read);
    rows += row(tr("Prefill"), durationInWords(m.prefillMs),
                m.prefillTokensPerSecond > 0 ? readWords + QStringLiteral(" · ") + tr("%1 tok/s").arg(decimalInWords(m.prefillTokensPerSecond)) : readWords,
                share(Stage::Prefill));
    if (m.moves.handedOver > 0)
        rows += row(tr("Handed over"), durationInWords(m.moves.handOverMs),
                    tr("%Ln token(s) read by another device", nullptr, m.moves.handedOver) + QStringLiteral(" · ") +
                        bytesInWords(static_cast<qint64>(m.moves.handedOverBytes)).replace(u' ', QChar(QChar::Nbsp)),
                    share(Stage::HandOver));
    if (m.ttftMs > 0) rows += row(tr("First token"), durationInWords(m.ttftMs), tr("from Send to the first visible character"));
    return rows;
}

QVariantList ReplySheet::cacheRows() const {
    QVariantList rows;
    rows += row(tr("Reused"), tr("%Ln token(s)", nullptr, m.reusedTokens),
                m.promptTokens > 0 ? tr("%1 % of the prompt").arg(percent(m.reusedTokens, m.promptTokens)) : QString());
    rows += moveRows();
    const ReuseReason reason = reuseReason(m.reuseReason);
    rows += row(tr("Read"), tr("%Ln token(s)", nullptr, m.promptTokens - m.reusedTokens), reason.name.isEmpty() ? tr("Only what is new.") : QString());
    if (!reason.name.isEmpty()) rows += row(tr("Why not reused"), reason.name, QString(reason.what + u' ' + reason.remedy).trimmed());
    if (m.moves.andBack > 0)
        rows += row(tr("Moved aside"), tr("%Ln token(s)", nullptr, m.moves.andBack), tr("made room for other replies while this one ran, and came back"));
    if (m.droppedMessages > 0)
        rows += row(tr("Left out"), tr("%Ln message(s)", nullptr, m.droppedMessages),
                    tr("%Ln token(s); the context was full, so the oldest turns were left out.", nullptr, m.droppedTokens));
    if (m.shiftedTokens > 0)
        rows += row(tr("Moved up"), tr("%Ln token(s)", nullptr, m.shiftedTokens),
                    tr("The context was full: these left it, and what followed was not read again. From there on the reply is approximate."));
    return rows;
}

// What of the reused came from elsewhere; mostly nothing.
QVariantList ReplySheet::moveRows() const {
    QVariantList rows;
    const auto add = [&](const QString& label, int tokens, const QString& note) {
        if (tokens > 0) rows += row(label, tr("%Ln token(s)", nullptr, tokens), note);
    };
    add(tr("Of these from disk"), m.moves.fromDisk, tr("kept since the chat was last used"));
    add(tr("Of these from memory"), m.moves.fromMemory, tr("had made room for other chats and came back"));
    return rows;
}

QVariantList ReplySheet::streamRows() const {
    QVariantList rows;
    if (m.itlP50Ms <= 0) return rows;
    rows += row(tr("Between tokens, median"), durationInWords(m.itlP50Ms));
    rows += row(tr("Between tokens, 95 %"), durationInWords(m.itlP95Ms), tr("one in twenty waits longer"));
    if (m.decodeTokensPerSecond > 0) rows += row(tr("Speed"), tr("%1 tok/s").arg(decimalInWords(m.decodeTokensPerSecond)));
    return rows;
}

// What bounds reading is arithmetic, what bounds writing is memory.
QVariantList ReplySheet::deviceRows() const {
    QVariantList rows;
    const auto add = [&](const QString& label, double share, const QString& note) {
        if (share > 0) rows += row(label, tr("%1 %").arg(share < 0.01 ? decimalInWords(100 * share) : percent(share, 1)), note);
    };
    add(tr("Arithmetic in prefill"), m.prefillArithmeticShare, tr("of what the device multiplies at best; short prompts reach less"));
    add(tr("Bandwidth in decode"), m.decodeBandwidthShare, tr("of what the device reads from its memory at best"));
    return rows;
}

QVariantList ReplySheet::guessRows() const {
    const GuessFigures& g = m.guesses;
    QVariantList rows;
    if (!g.asked) return rows;
    if (g.guessed == 0) {
        if (!g.whyNot.isEmpty()) rows += row(tr("Guesses"), tr("not used"), inWords(g.whyNot));
        else rows += row(tr("Guesses"), tr("off"), tr("It does not pay here: nothing came up that was worth guessing."));
        return rows;
    }
    rows += row(tr("Accepted"), tr("%1 %").arg(percent(g.accepted, g.guessed)),
                tr("%1 of %2 guessed tokens were right").arg(QLocale().toString(g.accepted), QLocale().toString(g.guessed)));
    if (m.tokens > g.accepted)
        rows += row(tr("Tokens per step"), QLocale().toString(double(m.tokens) / (m.tokens - g.accepted), 'f', 2), tr("1 without guesses; the text is the same"));
    const int drafted = g.guessed - g.lookupGuessed;
    const auto source = [&](const QString& label, int accepted, int guessed, const QString& note) {
        if (guessed > 0) rows += row(label, tr("%1 of %2").arg(QLocale().toString(accepted), QLocale().toString(guessed)), note);
    };
    source(tr("By looking up"), g.lookupAccepted, g.lookupGuessed, tr("what followed the same words before"));
    source(tr("Drafted"), g.accepted - g.lookupAccepted, drafted, g.draftMs > 0 ? tr("%1 spent on it").arg(durationInWords(g.draftMs)) : QString());
    if (!g.whyNot.isEmpty()) rows += row(tr("Ended early"), {}, inWords(g.whyNot));
    return rows;
}

QVariantList ReplySheet::otherRows() const { return {row(tr("Seed"), QString::number(m.seed))}; }

} // namespace steelyard
