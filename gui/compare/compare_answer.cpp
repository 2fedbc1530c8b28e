#include "gui/compare/compare_answer.h"

#include "gui/engine_client/amounts.h"
#include "gui/engine_client/engine_words.h"

#include <QJsonArray>
#include <QLocale>

#include <algorithm>

namespace steelyard {

namespace {

QVariantMap figure(const QString& label, const QString& value, const QString& tip) {
    return {{QStringLiteral("label"), label}, {QStringLiteral("value"), value}, {QStringLiteral("tip"), tip}};
}

} // namespace

QString CompareAnswer::status() const {
    const QLocale locale;
    switch (m_state) {
    case Waiting: return tr("Waiting for its turn");
    case Loading: return tr("Loading: %1 %").arg(qRound(m_fraction * 100));
    case Reading:
        return m_readTokens > 0 && m_allTokens > 0 ? tr("Reading the prompt: %1 of %2 tokens").arg(locale.toString(m_readTokens), locale.toString(m_allTokens))
                                                   : tr("Reading the prompt");
    case Writing: return {};
    case Failed: return {};
    case Done: break;
    }
    switch (m_reason) {
    case StopReason::EndToken:
    case StopReason::StopString:
    case StopReason::Failed: return {};
    case StopReason::TokenLimit: return tr("reached the limit");
    case StopReason::ContextFull: return tr("context is full");
    case StopReason::Cancelled: return tr("stopped");
    }
    return {};
}

QString CompareAnswer::problem() const {
    if (m_state != Failed) return {};
    return m_problem.isEmpty() ? tr("No answer.") : inWords(m_problem);
}

QString CompareAnswer::difference() const {
    if (!m_differences) return {};
    if (m_isReference) return tr("the others are compared with this one");
    if (m_differences->equal()) return tr("word for word the same");
    const int words = int(m_differences->sameWords);
    const QString where = words == 0 ? tr("differs from the first word on") : tr("the same for %Ln word(s)", nullptr, words);
    return where + QStringLiteral(" · ") + tr("%Ln difference(s)", nullptr, int(m_differences->places));
}

QVariantList CompareAnswer::figures() const {
    if (!m_figures) return {};
    const AnswerFigures& f = *m_figures;
    const QString together = f.besideOthers ? QStringLiteral(" ") + tr("Others answered at the same time.") : QString();
    QVariantList rows;
    if (f.ttftMs > 0) rows += figure(tr("first token"), durationInWords(f.ttftMs), tr("From sending to the first visible character, without loading."));
    if (f.prefillTokensPerSecond > 0)
        rows += figure(tr("reading"), tr("%1 tok/s").arg(decimalInWords(f.prefillTokensPerSecond)), tr("How fast the prompt of %Ln token(s) was read.", nullptr, f.promptTokens) + together);
    if (f.decodeTokensPerSecond > 0)
        rows += figure(tr("writing"), tr("%1 tok/s").arg(decimalInWords(f.decodeTokensPerSecond)), tr("How fast the answer of %Ln token(s) was written.", nullptr, f.tokens) + together);
    if (f.itlP50Ms > 0)
        rows += figure(tr("between tokens"), tr("%1, 95 %: %2").arg(durationInWords(f.itlP50Ms), durationInWords(f.itlP95Ms)), tr("The median time from one token to the next, and the time that 95 of 100 stay below."));
    if (f.acceptedShare >= 0) rows += figure(tr("guesses"), tr("%1 % right").arg(qRound(100 * f.acceptedShare)), tr("Of the tokens guessed ahead, those that the model confirmed."));
    return rows;
}

void CompareAnswer::load(double fraction) {
    m_state = Loading;
    m_fraction = fraction;
    emit changed();
}

void CompareAnswer::read(int readTokens, int allTokens) {
    m_state = Reading;
    m_readTokens = readTokens;
    m_allTokens = allTokens;
    emit changed();
}

void CompareAnswer::append(const QString& text) {
    if (m_state != Writing) {
        m_state = Writing;
        emit changed();
    }
    m_text += text;
    emit textChanged();
}

void CompareAnswer::finish(const ColumnAnswer& answer) {
    m_text = QString::fromStdString(answer.text);
    m_ids = answer.ids;
    m_reason = answer.reason;
    m_problem = QString::fromStdString(answer.problem);
    m_state = answer.reason == StopReason::Failed ? Failed : Done;
    if (answer.statistics.generatedTokens > 0) {
        const GenerationStatistics& s = answer.statistics;
        AnswerFigures f;
        f.promptTokens = int(s.promptTokens);
        f.tokens = int(s.generatedTokens);
        f.ttftMs = s.ttftMs;
        f.prefillTokensPerSecond = s.prefillTokensPerSecond;
        f.decodeTokensPerSecond = s.decodeTokensPerSecond;
        f.itlP50Ms = s.itlP50Ms;
        f.itlP95Ms = s.itlP95Ms;
        f.loadMs = answer.loadMs;
        f.besideOthers = answer.besideOthers;
        if (s.speculation.guessed > 0) f.acceptedShare = double(s.speculation.accepted) / s.speculation.guessed;
        m_figures = f;
    }
    emit textChanged();
    emit changed();
}

void CompareAnswer::stop(const QString& sentence) {
    if (isOver()) return;
    m_reason = StopReason::Cancelled;
    m_problem = sentence;
    m_state = sentence.isEmpty() ? Done : Failed;
    emit changed();
}

void CompareAnswer::mark(const std::vector<AnswerPiece>& pieces, const AnswerDifferences& differences, bool isReference) {
    m_differences = differences;
    m_differences->reference.clear();
    m_differences->other.clear();
    m_isReference = isReference;
    m_marked.clear();
    for (const AnswerPiece& piece : pieces) {
        const QString words = QString::fromStdString(piece.text).toHtmlEscaped();
        m_marked += piece.same ? words : QStringLiteral("<u>%1</u>").arg(words);
    }
    if (differences.equal()) m_marked.clear();
    emit textChanged();
}

void CompareAnswer::retranslate() {
    emit changed();
    emit textChanged();
}

QJsonObject CompareAnswer::toJson() const {
    QJsonObject json{{QStringLiteral("text"), m_text}, {QStringLiteral("reason"), int(m_reason)}, {QStringLiteral("failed"), m_state == Failed}};
    if (!m_problem.isEmpty()) json.insert(QStringLiteral("problem"), m_problem);
    QJsonArray ids;
    for (const int32_t id : m_ids) ids.append(id);
    json.insert(QStringLiteral("ids"), ids);
    if (m_figures) {
        const AnswerFigures& f = *m_figures;
        json.insert(QStringLiteral("figures"),
                    QJsonObject{{QStringLiteral("promptTokens"), f.promptTokens}, {QStringLiteral("tokens"), f.tokens}, {QStringLiteral("ttftMs"), f.ttftMs},
                                {QStringLiteral("prefill"), f.prefillTokensPerSecond}, {QStringLiteral("decode"), f.decodeTokensPerSecond},
                                {QStringLiteral("itlP50Ms"), f.itlP50Ms}, {QStringLiteral("itlP95Ms"), f.itlP95Ms}, {QStringLiteral("loadMs"), f.loadMs},
                                {QStringLiteral("accepted"), f.acceptedShare}, {QStringLiteral("besideOthers"), f.besideOthers}});
    }
    return json;
}

void CompareAnswer::fromJson(const QJsonObject& json) {
    m_text = json.value(QStringLiteral("text")).toString();
    m_reason = static_cast<StopReason>(std::clamp(json.value(QStringLiteral("reason")).toInt(), 0, int(StopReason::Failed)));
    m_problem = json.value(QStringLiteral("problem")).toString();
    m_state = json.value(QStringLiteral("failed")).toBool() ? Failed : Done;
    m_ids.clear();
    for (const QJsonValue& id : json.value(QStringLiteral("ids")).toArray()) m_ids.push_back(id.toInt());
    m_figures.reset();
    if (const QJsonObject f = json.value(QStringLiteral("figures")).toObject(); !f.isEmpty()) {
        const auto number = [&](const char* key) { return f.value(QLatin1String(key)).toDouble(); };
        AnswerFigures figures;
        figures.promptTokens = int(number("promptTokens"));
        figures.tokens = int(number("tokens"));
        figures.ttftMs = number("ttftMs");
        figures.prefillTokensPerSecond = number("prefill");
        figures.decodeTokensPerSecond = number("decode");
        figures.itlP50Ms = number("itlP50Ms");
        figures.itlP95Ms = number("itlP95Ms");
        figures.loadMs = number("loadMs");
        figures.acceptedShare = number("accepted");
        figures.besideOthers = f.value(QStringLiteral("besideOthers")).toBool();
        m_figures = figures;
    }
    emit changed();
    emit textChanged();
}

} // namespace steelyard
