#include "gui/engine_client/engine_words.h"

#include "gui/engine_client/engine_sentences.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QVector>

namespace steelyard {

namespace {

struct Pattern {
    const char *context, *text;
    QRegularExpression expression;
    QVector<int> arguments; // number of each group in order
};

const QRegularExpression& places() {
    static const QRegularExpression kPlace(QStringLiteral("%([1-5])"));
    return kPlace;
}

Pattern compiled(const char* context, const char* text) {
    const QString source = QString::fromUtf8(text);
    // A whole sentence may hold others; a part of one holds names and numbers only.
    const QString anything = source.contains(QLatin1Char('.')) || source.contains(QLatin1String(": %")) ? QStringLiteral("(.+?)") : QStringLiteral("(\\S+?)");
    QString expression;
    QVector<int> arguments;
    qsizetype from = 0;
    for (auto place = places().globalMatch(source); place.hasNext();) {
        const auto match = place.next();
        const int number = match.captured(1).toInt();
        expression += QRegularExpression::escape(source.mid(from, match.capturedStart() - from));
        const qsizetype seen = arguments.indexOf(number);
        expression += seen < 0 ? anything : QStringLiteral("\\%1").arg(seen + 1); // the same again
        if (seen < 0) arguments.append(number);
        from = match.capturedEnd();
    }
    expression = QRegularExpression::anchoredPattern(expression + QRegularExpression::escape(source.mid(from)));
    return {context, text, QRegularExpression(expression, QRegularExpression::DotMatchesEverythingOption), arguments};
}

QVector<Pattern> compileAll() {
    QVector<Pattern> patterns;
    for (const char* text : kEngineSentences) patterns.append(compiled("EngineWords", text));
    for (const StoreRow& row : kStoreSentences) patterns.append(compiled(row.context, row.text));
    return patterns;
}

// Counts and amounts as the language writes them; versions ("1.2") and names stay.
QString numberInWords(const QString& text, bool isAmount) {
    static const QRegularExpression kInteger(QStringLiteral("^\\d{1,18}$")), kDecimal(QStringLiteral("^\\d{1,15}\\.(\\d+)$"));
    if (kInteger.match(text).hasMatch()) return QLocale().toString(text.toLongLong());
    const auto decimal = kDecimal.match(text);
    if (isAmount && decimal.hasMatch()) return QLocale().toString(text.toDouble(), 'f', std::min<int>(2, int(decimal.capturedLength(1))));
    return text;
}

// Whether a row is an amount with its unit, or a time.
bool isAmount(const char* text) {
    const QLatin1String row(text);
    return row.size() <= 8 || row.contains(QLatin1String(" ms"));
}

QString translated(const QString& sentence, int depth);

// The sentence by the row that it is an instance of; a null string when there is none.
QString byRow(const QString& sentence, int depth) {
    static const QVector<Pattern> kPatterns = compileAll();
    for (const Pattern& pattern : kPatterns) {
        const auto match = pattern.expression.match(sentence);
        if (!match.hasMatch()) continue;
        const bool amount = isAmount(pattern.text);
        if (amount && pattern.arguments.size() == 1 && !match.captured(1).at(0).isDigit()) continue;
        const QString words = QCoreApplication::translate(pattern.context, pattern.text);
        QString filled;
        qsizetype from = 0;
        for (auto place = places().globalMatch(words); place.hasNext();) {
            const auto found = place.next();
            const QString argument = match.captured(pattern.arguments.indexOf(found.captured(1).toInt()) + 1);
            const QString number = numberInWords(argument, amount);
            filled += QStringView(words).mid(from, found.capturedStart() - from);
            filled += number != argument || depth == 0 ? number : translated(argument, depth - 1);
            from = found.capturedEnd();
        }
        return filled + words.mid(from);
    }
    return {};
}

// A text of several sentences is translated one by one, as far as they are known.
QString translated(const QString& text, int depth) {
    if (const QString words = byRow(text, depth); !words.isNull()) return words;
    for (qsizetype end = text.indexOf(QLatin1String(". ")); end >= 0; end = text.indexOf(QLatin1String(". "), end + 1)) {
        const QString first = byRow(text.left(end + 1), depth);
        if (!first.isNull()) return first + u' ' + translated(text.mid(end + 2), depth);
    }
    return text;
}

} // namespace

QString inWords(const QString& sentence) {
    constexpr int kDepth = 4; // a sentence about a device about a tensor about its type
    return sentence.isEmpty() ? sentence : translated(sentence, kDepth);
}

QString inWords(const std::string& sentence) { return inWords(QString::fromStdString(sentence)); }

QString shownDeviceName(const std::string& name) {
    static const QRegularExpression kMarks(QStringLiteral("\\((R|TM|C)\\)|\\s+CPU(?=\\s|$)|\\s*@\\s*[\\d.]+\\s*GHz"), QRegularExpression::CaseInsensitiveOption);
    return inWords(QString::fromStdString(name).remove(kMarks).simplified());
}

QStringList engineSentences() {
    QStringList sentences;
    for (const char* text : kEngineSentences) sentences += QString::fromUtf8(text);
    return sentences;
}

} // namespace steelyard
