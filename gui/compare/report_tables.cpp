#include "gui/compare/report_tables.h"

#include "gui/compare/verdict_words.h"
#include "gui/engine_client/amounts.h"
#include "gui/engine_client/engine_words.h"
#include "gui/store/model_list.h"

#include <QLocale>

#include <functional>

namespace steelyard {

namespace {

const QString kDash = QStringLiteral("–");

using CellOf = std::function<QString(size_t column)>;

ReportRow rowOf(const ComparisonReport& report, const QString& label, const QString& tip, const CellOf& value, const CellOf& note = {}) {
    ReportRow row{label, tip, {}, {}};
    for (size_t i = 0; i < report.columns.size(); ++i) {
        const QString text = value(i);
        row.values += text.isEmpty() ? kDash : text;
        row.notes += note && !text.isEmpty() ? note(i) : QString();
    }
    return row;
}

bool isEmpty(const ReportRow& row) {
    return row.values.count(kDash) == row.values.size();
}

QString withError(double value, double error, int decimals) {
    const QLocale locale;
    return error > 0 ? QStringLiteral("%1 ± %2").arg(locale.toString(value, 'f', decimals), locale.toString(error, 'f', decimals)) : locale.toString(value, 'f', decimals);
}

} // namespace

QVector<ReportRow> ReportTables::rows(const ComparisonReport& report) {
    const QLocale locale;
    std::vector<ColumnRatios> ratios;
    for (size_t i = 0; i < report.columns.size(); ++i) ratios.push_back(ratiosOf(report, i));
    const auto column = [&](size_t i) -> const ReportColumn& { return report.columns[i]; };
    const auto times = [&](std::optional<double> ratio, size_t i) { return ratio && i != report.baseColumn ? tr("%1 times").arg(VerdictWords::times(*ratio)) : QString(); };
    const auto bytes = [](quint64 amount) { return amount > 0 ? bytesInWords(qint64(amount)) : QString(); };
    const auto speed = [](double value) { return value > 0 ? tr("%1 tok/s").arg(decimalInWords(value)) : QString(); };
    const auto time = [](std::optional<double> ms) { return ms ? durationInWords(*ms) : QString(); };
    const auto quality = [&](size_t i, const std::function<QString(const Quality&)>& say) {
        const auto& q = column(i).quality;
        return !q ? QString() : say(*q);
    };
    const auto apart = [&](size_t i, const std::function<QString(const Quality&)>& say) { // nothing to say of the reference itself
        return quality(i, [&](const Quality& q) { return q.isReference ? tr("reference") : say(q); });
    };

    QVector<ReportRow> rows;
    const auto group = [&](const QString& label, const QVector<ReportRow>& members) {
        QVector<ReportRow> told;
        for (const ReportRow& row : members)
            if (!isEmpty(row)) told += row;
        if (told.isEmpty()) return;
        ReportRow head{label, {}, {}, {}, true};
        rows += head;
        rows += told;
    };
    group(tr("Quality"),
          {rowOf(report, tr("Distance"), tr("Mean KL divergence from the reference in nats: how far the probabilities of the next word moved. 0 = none; below 0.1 is small."),
                 [&](size_t i) { return apart(i, [](const Quality& q) { return VerdictWords::nats(q.meanKl, q.klError); }); }),
           rowOf(report, tr("Distance, median"), tr("Half of the words moved less than this."), [&](size_t i) { return apart(i, [](const Quality& q) { return VerdictWords::nats(q.medianKl); }); }),
           rowOf(report, tr("Distance, 99 %"), tr("99 of 100 words moved less than this."), [&](size_t i) { return apart(i, [](const Quality& q) { return VerdictWords::nats(q.klP99); }); }),
           rowOf(report, tr("Same first choice"), tr("How often both think the same word the most probable."),
                 [&](size_t i) { return apart(i, [](const Quality& q) { return VerdictWords::percent(100 * q.sameTop); }); }),
           rowOf(report, tr("Perplexity"), tr("How surprised the level is by the text; lower is better."), [&](size_t i) { return quality(i, [](const Quality& q) { return withError(q.perplexity, q.perplexityError, 2); }); }),
           rowOf(report, tr("Loss"), tr("How much higher the perplexity is than the reference's. Published are: 8 bit below 0.5 %, 4 bit from 1 to 3 %."),
                 [&](size_t i) { return apart(i, [&](const Quality&) { return ratios[i].perplexityLossPercent ? VerdictWords::percent(*ratios[i].perplexityLossPercent) : QString(); }); },
                 [&](size_t i) {
                     const auto expected = expectedLossOf(column(i));
                     return expected && ratios[i].perplexityLossPercent && !column(i).quality->isReference ? tr("published: up to %1").arg(VerdictWords::percent(expected->mostPercent)) : QString();
                 }),
           rowOf(report, tr("Distance, same answer"), tr("Mean KL divergence over one answer that was forced through all columns."),
                 [&](size_t i) { return column(i).sameTextKl ? VerdictWords::nats(*column(i).sameTextKl) : QString(); })});
    const auto speedOf = [&](size_t i) { return column(i).speed ? *column(i).speed : ReportSpeed(); };
    group(tr("Speed"),
          {rowOf(report, tr("Writing"), tr("Tokens per second while it answers: bound by memory."), [&](size_t i) { return speed(speedOf(i).decodeTokensPerSecond); }, [&](size_t i) { return times(ratios[i].decodeSpeed, i); }),
           rowOf(report, tr("Reading"), tr("Tokens per second while it reads a prompt: bound by arithmetic."), [&](size_t i) { return speed(speedOf(i).prefillTokensPerSecond); }, [&](size_t i) { return times(ratios[i].prefillSpeed, i); }),
           rowOf(report, tr("First token"), tr("From sending to the first visible character, of an answer."), [&](size_t i) { return time(speedOf(i).ttftMs); }),
           rowOf(report, tr("Between tokens"), tr("The median, and what 95 of 100 stay below."),
                 [&](size_t i) { return speedOf(i).itlP50Ms ? QStringLiteral("%1 / %2").arg(time(speedOf(i).itlP50Ms), time(speedOf(i).itlP95Ms)) : QString(); }),
           rowOf(report, tr("Loading"), tr("From the file into memory."), [&](size_t i) { return time(speedOf(i).loadMs); }),
           rowOf(report, tr("Guesses"), tr("Of the tokens guessed ahead, those that were right."),
                 [&](size_t i) { return speedOf(i).acceptedShare ? VerdictWords::percent(100 * *speedOf(i).acceptedShare) : QString(); })});
    group(tr("Size"),
          {rowOf(report, tr("File"), tr("On the disk."), [&](size_t i) { return bytes(column(i).fileBytes); }, [&](size_t i) { return times(ratios[i].fileBytes, i); }),
           rowOf(report, tr("Memory"), tr("Weights, KV cache and compute buffers."), [&](size_t i) { return bytes(column(i).memoryBytes()); }, [&](size_t i) { return times(ratios[i].memoryBytes, i); }),
           rowOf(report, tr("Bits per weight"), tr("Of all weights on average."), [&](size_t i) { return column(i).bitsPerWeight > 0 ? locale.toString(column(i).bitsPerWeight, 'f', 2) : QString(); }),
           rowOf(report, tr("KV cache"), tr("What it is kept as, and what a token of context takes."),
                 [&](size_t i) { return column(i).kvBytesPerToken > 0 ? tr("%1, %2 a token").arg(QString::fromStdString(column(i).kvTypes), bytes(column(i).kvBytesPerToken)) : QString(); })});
    group(tr("Problems"), {rowOf(report, tr("Why not"), {}, [&](size_t i) { return inWords(column(i).problem); })});
    return rows;
}

QVector<ReportBar> ReportTables::bars(const ComparisonReport& report) {
    QVector<ReportBar> bars;
    for (const ReportColumn& column : report.columns)
        if (column.memoryBytes() > 0) bars.append({QString::fromStdString(column.name), column.weightsBytes, column.kvBytes, column.computeBytes});
    return bars;
}

QString ReportTables::basis(const ComparisonReport& report) {
    if (!report.reference || !report.text) return {};
    const QString text = report.text->name.empty() ? tr("a text of your own") : tr("“%1”").arg(QString::fromStdString(report.text->name));
    return tr("Against %1, on %2: %3 in %4 of %5 tokens.")
        .arg(QString::fromStdString(report.reference->name), text, tr("%Ln token(s)", nullptr, int(report.text->tokens)),
             tr("%Ln window(s)", nullptr, int(report.text->windows)), QLocale().toString(report.text->context));
}

} // namespace steelyard
