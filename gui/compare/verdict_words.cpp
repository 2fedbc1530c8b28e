#include "gui/compare/verdict_words.h"

#include <QLocale>

#include <cmath>

namespace steelyard {

namespace {

QString nameOf(const std::string& name) { return QString::fromStdString(name); }

} // namespace

QString VerdictWords::nats(double kl, double error) {
    const QLocale locale;
    const double size = std::abs(kl);
    const int decimals = size >= 1 ? 2 : size >= 0.01 || size == 0 ? 3 : 4;
    const QString value = locale.toString(kl, 'f', error > 0 ? decimals : size >= 0.1 ? 2 : decimals);
    return error > 0 ? QStringLiteral("%1 ± %2").arg(value, locale.toString(error, 'f', decimals)) : value;
}

QString VerdictWords::times(double ratio) { return QLocale().toString(ratio, 'f', ratio < 10 ? 2 : 0); }

QString VerdictWords::percent(double percent) {
    const double size = std::abs(percent);
    return tr("%1 %").arg(QLocale().toString(percent, 'f', size >= 100 ? 0 : size >= 1 ? 1 : 2));
}

QString VerdictWords::sentence(const VerdictPart& part) {
    const QString name = nameOf(part.name), other = nameOf(part.otherName);
    switch (part.kind) {
    case VerdictPart::Kind::Against: {
        QStringList parts;
        if (part.kl) parts += tr("%1 nats from the reference").arg(nats(*part.kl));
        if (part.memoryRatio) parts += tr("%1 times the memory").arg(times(*part.memoryRatio));
        if (part.speedRatio) parts += tr("%1 times as fast").arg(times(*part.speedRatio));
        return tr("%1: %2.").arg(name, parts.isEmpty() ? tr("nothing was measured") : parts.join(QStringLiteral(", ")));
    }
    case VerdictPart::Kind::SmallestGood: return tr("%1 is the smallest level that stays below %2 nats.").arg(name, nats(part.limit.value_or(0)));
    case VerdictPart::Kind::NoneGood: return tr("No level stays below %1 nats.").arg(nats(part.limit.value_or(0)));
    case VerdictPart::Kind::NotTellable: return tr("This text is too short to tell %1 and %2 apart: their difference is smaller than its error.").arg(name, other);
    case VerdictPart::Kind::MoreThanExpected:
        return tr("%1 loses %2 of perplexity, more than the %3 that are published for its level.").arg(name, percent(part.lossPercent.value_or(0)), percent(part.limit.value_or(0)));
    case VerdictPart::Kind::AsExpected:
        if (part.lossPercent.value_or(0) < 0) return tr("%1 predicts this text no worse than the reference: its perplexity is %2 lower.").arg(name, percent(-*part.lossPercent));
        return tr("%1 loses %2 of perplexity, as is published for its level (at most %3).").arg(name, percent(part.lossPercent.value_or(0)), percent(part.limit.value_or(0)));
    case VerdictPart::Kind::ReferenceQuantized: return tr("The reference %1 is itself quantized: the losses are on top of its own.").arg(name);
    case VerdictPart::Kind::ShortText: return tr("Only %1 tokens were scored: the figures are rough.").arg(QLocale().toString(part.limit.value_or(0), 'f', 0));
    case VerdictPart::Kind::Failed: return tr("%1 could not be compared.").arg(name);
    }
    return {};
}

QStringList VerdictWords::sentences(const ComparisonReport& report) {
    QStringList all;
    for (const VerdictPart& part : verdictOf(report)) all += sentence(part);
    return all;
}

} // namespace steelyard
