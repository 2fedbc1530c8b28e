#include "gui/compare/same_text_view.h"

#include "gui/compare/verdict_words.h"
#include "gui/engine_client/engine_words.h"

#include <QJsonArray>
#include <QLocale>
#include <QStringDecoder>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace steelyard {

namespace {

constexpr double kKlLimits[] = {0.01, 0.1, 0.5}; // nats
constexpr unsigned kRankLimits[] = {1, 3, 10};

QString shownText(const std::string& bytes) {
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QByteArray data = QByteArray::fromStdString(bytes);
    QString text = decoder(data);
    if (decoder.hasError()) return QStringLiteral("‹%1›").arg(QString::fromLatin1(data.toHex(' ').toUpper()));
    return text.replace(u'\n', u'↵').replace(u'\t', u'⇥');
}

QString percentOf(double logProbability) {
    const double percent = 100 * std::exp(std::min(0.0, logProbability));
    return percent < 0.1 ? SameTextView::tr("below 0.1 %").replace(u'.', QLocale().decimalPoint()) : VerdictWords::percent(percent);
}

} // namespace

int SameTextView::klLevel(double kl) { return int(std::upper_bound(std::begin(kKlLimits), std::end(kKlLimits), kl) - std::begin(kKlLimits)); }

int SameTextView::rankLevel(unsigned rank) { return int(std::lower_bound(std::begin(kRankLimits), std::end(kRankLimits), rank) - std::begin(kRankLimits)); }

QStringList SameTextView::klScale() const {
    return {tr("below %1 nats").arg(VerdictWords::nats(kKlLimits[0])), tr("from %1").arg(VerdictWords::nats(kKlLimits[0])), tr("from %1").arg(VerdictWords::nats(kKlLimits[1])),
            tr("from %1").arg(VerdictWords::nats(kKlLimits[2]))};
}

QStringList SameTextView::rankScale() const { return {tr("first choice"), tr("2nd or 3rd"), tr("4th to 10th"), tr("later")}; }

QVariantList SameTextView::columns() const {
    QVariantList all;
    for (size_t i = 0; i < m_same.columns.size(); ++i) {
        const ForcedColumn& column = m_same.columns[i];
        QVariantList tokens;
        for (const ForcedToken& token : column.tokens)
            tokens += QVariantMap{{QStringLiteral("text"), shownText(token.text)},
                                  {QStringLiteral("breaks"), token.text.find('\n') != std::string::npos},
                                  {QStringLiteral("klLevel"), token.kl ? klLevel(double(*token.kl)) : 0},
                                  {QStringLiteral("rankLevel"), rankLevel(token.rank)},
                                  {QStringLiteral("rank"), int(token.rank)}};
        QStringList summary;
        const bool isReference = i == m_same.reference;
        if (isReference) summary += tr("reference");
        else if (column.meanKl) summary += tr("%1 nats on average").arg(VerdictWords::nats(*column.meanKl));
        if (!column.tokens.empty()) summary += tr("first choice %1").arg(VerdictWords::percent(100 * column.topShare));
        all += QVariantMap{{QStringLiteral("name"), m_names.value(int(i))}, {QStringLiteral("summary"), summary.join(QStringLiteral(" · "))},
                           {QStringLiteral("problem"), inWords(column.problem)}, {QStringLiteral("isReference"), isReference}, {QStringLiteral("tokens"), tokens}};
    }
    return all;
}

QVariantList SameTextView::alternatives(int column, int token) const {
    QVariantList all;
    if (column < 0 || column >= int(m_same.columns.size())) return all;
    const auto& tokens = m_same.columns[size_t(column)].tokens;
    if (token < 0 || token >= int(tokens.size())) return all;
    const ForcedToken& chosen = tokens[size_t(token)];
    const auto row = [&](const QString& text, double logProbability, bool isChosen) {
        all += QVariantMap{{QStringLiteral("text"), text.isEmpty() ? tr("end of the reply") : text}, {QStringLiteral("percent"), percentOf(logProbability)},
                           {QStringLiteral("share"), std::exp(std::min(0.0, logProbability))}, {QStringLiteral("chosen"), isChosen}};
    };
    bool named = false;
    for (const TokenProbability& other : chosen.alternatives) {
        named = named || other.id == chosen.id;
        row(shownText(other.bytes), double(other.logprob), other.id == chosen.id);
    }
    if (!named) row(shownText(chosen.text), double(chosen.logProbability), true);
    return all;
}

QString SameTextView::tokenSummary(int column, int token) const {
    if (column < 0 || column >= int(m_same.columns.size())) return {};
    const auto& tokens = m_same.columns[size_t(column)].tokens;
    if (token < 0 || token >= int(tokens.size())) return {};
    const ForcedToken& t = tokens[size_t(token)];
    QStringList parts{percentOf(double(t.logProbability)), t.rank == 1 ? tr("first choice") : tr("choice %1").arg(QLocale().toString(t.rank))};
    if (t.kl && size_t(column) != m_same.reference) parts += tr("%1 nats").arg(VerdictWords::nats(double(*t.kl)));
    return parts.join(QStringLiteral(" · "));
}

void SameTextView::set(const SameText& sameText, const QStringList& names) {
    m_same = sameText;
    m_names = names;
    emit changed();
}

void SameTextView::clear() {
    if (!filled()) return;
    m_same = {};
    emit changed();
}

QJsonObject SameTextView::toJson() const {
    if (!filled()) return {};
    const auto number = [](double value) { return std::round(value * 1e5) / 1e5; };
    const auto text = [](const std::string& bytes) { return QString::fromLatin1(QByteArray::fromStdString(bytes).toBase64()); }; // need not be whole characters
    QJsonArray columns;
    for (const ForcedColumn& column : m_same.columns) {
        QJsonArray tokens;
        for (const ForcedToken& token : column.tokens) {
            QJsonArray others;
            for (const TokenProbability& other : token.alternatives) others.append(QJsonArray{other.id, text(other.bytes), number(double(other.logprob))});
            tokens.append(QJsonArray{token.id, text(token.text), number(double(token.logProbability)), qint64(token.rank),
                                     token.kl ? QJsonValue(number(double(*token.kl))) : QJsonValue(), others});
        }
        columns.append(QJsonObject{{QStringLiteral("tokens"), tokens}, {QStringLiteral("perplexity"), column.perplexity}, {QStringLiteral("topShare"), column.topShare},
                                   {QStringLiteral("meanKl"), column.meanKl ? QJsonValue(*column.meanKl) : QJsonValue()}, {QStringLiteral("problem"), QString::fromStdString(column.problem)}});
    }
    return {{QStringLiteral("columns"), columns}, {QStringLiteral("reference"), int(m_same.reference)}, {QStringLiteral("sameTokens"), m_same.sameTokens}};
}

void SameTextView::fromJson(const QJsonObject& json, const QStringList& names) {
    const auto bytes = [](const QJsonValue& value) { return QByteArray::fromBase64(value.toString().toLatin1()).toStdString(); };
    m_same = {};
    m_names = names;
    for (const QJsonValue& value : json.value(QStringLiteral("columns")).toArray()) {
        const QJsonObject stored = value.toObject();
        ForcedColumn column;
        column.perplexity = stored.value(QStringLiteral("perplexity")).toDouble();
        column.topShare = stored.value(QStringLiteral("topShare")).toDouble();
        if (stored.value(QStringLiteral("meanKl")).isDouble()) column.meanKl = stored.value(QStringLiteral("meanKl")).toDouble();
        column.problem = stored.value(QStringLiteral("problem")).toString().toStdString();
        for (const QJsonValue& row : stored.value(QStringLiteral("tokens")).toArray()) {
            const QJsonArray fields = row.toArray();
            ForcedToken token;
            token.id = fields.at(0).toInt();
            token.text = bytes(fields.at(1));
            token.logProbability = float(fields.at(2).toDouble());
            token.rank = uint32_t(std::max(1, fields.at(3).toInt(1)));
            if (fields.at(4).isDouble()) token.kl = float(fields.at(4).toDouble());
            for (const QJsonValue& other : fields.at(5).toArray())
                token.alternatives.push_back({other.toArray().at(0).toInt(), float(other.toArray().at(2).toDouble()), bytes(other.toArray().at(1))});
            column.tokens.push_back(std::move(token));
        }
        m_same.columns.push_back(std::move(column));
    }
    m_same.sameTokens = json.value(QStringLiteral("sameTokens")).toBool(true);
    m_same.reference = size_t(std::clamp(json.value(QStringLiteral("reference")).toInt(), 0, int(kMostColumns) - 1));
    emit changed();
}

} // namespace steelyard
