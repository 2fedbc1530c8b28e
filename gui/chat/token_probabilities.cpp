#include "gui/chat/token_probabilities.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QLocale>
#include <QStringDecoder>
#include <QVariantMap>

#include <cmath>

namespace steelyard {
namespace {

QString writtenText(const std::string& bytes) {
    const QByteArray data = QByteArray::fromStdString(bytes);
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder(data);
    return decoder.hasError() ? QStringLiteral("‹%1›").arg(QString::fromLatin1(data.toHex(' ').toUpper())) : text;
}

QJsonArray written(const TokenProbability& token) { return {writtenText(token.bytes), std::round(double(token.logprob) * 1e4) / 1e4}; }

QString percentOf(double share) {
    const double percent = share * 100;
    return percent > 0 && percent < 0.1 ? QCoreApplication::translate("TokensSheet", "below 0.1 %").replace(u'.', QLocale().decimalPoint())
                                        : QCoreApplication::translate("TokensSheet", "%1 %").arg(QLocale().toString(percent, 'f', percent < 10 ? 1 : 0));
}

// Blanks and line ends can be seen, and what has no text has a name.
QString visible(QString text) {
    if (text.isEmpty()) return QCoreApplication::translate("TokensSheet", "end of the reply");
    return text.replace(u'\n', u'↵').replace(u'\t', u'⇥');
}

QVariantMap rowOf(const QJsonArray& token) {
    const double share = std::exp(std::min(0.0, token.at(1).toDouble()));
    return {{QStringLiteral("text"), visible(token.at(0).toString())}, {QStringLiteral("share"), share}, {QStringLiteral("percent"), percentOf(share)}};
}

} // namespace

void appendTokens(const std::vector<TokenLogprobs>& tokens, QJsonArray& stored) {
    for (const auto& token : tokens) {
        QJsonArray row = written(token.chosen), others;
        for (const auto& other : token.top) others.append(written(other));
        row.append(others);
        stored.append(row);
    }
}

QVariantList shownTokens(const QString& stored) {
    QVariantList rows;
    for (const auto& value : QJsonDocument::fromJson(stored.toUtf8()).array()) {
        const QJsonArray token = value.toArray();
        QVariantMap row = rowOf(token);
        QVariantList others;
        bool hasChosen = false;
        for (const auto& other : token.at(2).toArray()) {
            QVariantMap one = rowOf(other.toArray());
            const bool chosen = other.toArray().at(0) == token.at(0) && other.toArray().at(1) == token.at(1) && !hasChosen;
            hasChosen = hasChosen || chosen;
            one.insert(QStringLiteral("chosen"), chosen);
            others.append(one);
        }
        if (!hasChosen) {
            QVariantMap one = rowOf(token);
            one.insert(QStringLiteral("chosen"), true);
            others.append(one);
        }
        row.insert(QStringLiteral("others"), others);
        rows.append(row);
    }
    return rows;
}

} // namespace steelyard
