#include "gui/hub/safe_name.h"

#include <QCoreApplication>
#include <QDir>
#include <QSet>

namespace steelyard {

namespace {

constexpr qsizetype kLongestBytes = 180; // leaves room for what is put behind it (".part.json") below the usual 255
const QString kSuffix = QStringLiteral(".gguf");

bool isForbidden(char32_t c) {
    switch (QChar::category(c)) {
    case QChar::Other_Control:
    case QChar::Other_Format: // direction marks and other invisible ones
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        return c < 128 && QStringLiteral("<>:\"/\\|?*").contains(QChar(char16_t(c)));
    }
}

QString withoutForbidden(const QString& text) {
    QString clean;
    for (const char32_t c : text.toUcs4()) {
        if (isForbidden(c)) clean += u'_';
        else clean += QString::fromUcs4(&c, 1);
    }
    return clean;
}

QString trimmedEnds(QString name) {
    const auto isEdge = [](QChar c) { return c == u'.' || c.isSpace(); };
    while (!name.isEmpty() && isEdge(name.back())) name.chop(1);
    while (!name.isEmpty() && isEdge(name.front())) name.remove(0, 1);
    return name;
}

// Windows opens a device for these, whatever stands behind the first dot.
bool isDevice(const QString& name) {
    static const QSet<QString> kDevices = [] {
        QSet<QString> all = {QStringLiteral("CON"), QStringLiteral("PRN"), QStringLiteral("AUX"), QStringLiteral("NUL"),
                             QStringLiteral("CONIN$"), QStringLiteral("CONOUT$"), QStringLiteral("CLOCK$")};
        for (const QString& port : {QStringLiteral("COM"), QStringLiteral("LPT")})
            for (const QChar digit : QStringLiteral("0123456789\u00b9\u00b2\u00b3")) all.insert(port + digit);
        return all;
    }();
    return kDevices.contains(name.section(u'.', 0, 0).trimmed().toUpper());
}

QString shortened(QString stem) {
    while (stem.toUtf8().size() + kSuffix.size() > kLongestBytes) {
        if (stem.back().isLowSurrogate()) stem.chop(1);
        stem.chop(1);
    }
    return stem;
}

} // namespace

Result<QString> safeFileName(const QString& remoteName) {
    QString name = remoteName.normalized(QString::NormalizationForm_C);
    name.replace(u'\\', u'/');
    name = trimmedEnds(withoutForbidden(name.section(u'/', -1)));
    QString stem = name;
    if (name.endsWith(kSuffix, Qt::CaseInsensitive)) stem = name.chopped(kSuffix.size());
    else if (name.compare(kSuffix.mid(1), Qt::CaseInsensitive) == 0) stem.clear();
    stem = trimmedEnds(shortened(trimmedEnds(stem)));
    const bool hasText = std::any_of(stem.begin(), stem.end(), [](QChar c) { return c != u'_'; });
    if (!hasText)
        return Error{QCoreApplication::translate("SafeName", "The address names no file that could be stored.").toStdString()};
    if (isDevice(stem)) stem.prepend(u'_');
    return stem + kSuffix;
}

QString freeFileName(const QString& folder, const QString& name) {
    QSet<QString> taken;
    const QStringList entries = QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    for (const QString& entry : entries) taken.insert(entry.normalized(QString::NormalizationForm_C).toCaseFolded());
    const auto isTaken = [&](const QString& candidate) {
        const QString folded = candidate.toCaseFolded();
        return taken.contains(folded) || taken.contains(folded + QStringLiteral(".part")) || taken.contains(folded + QStringLiteral(".part.json"));
    };
    QString candidate = name;
    for (int number = 2; isTaken(candidate); ++number)
        candidate = QStringLiteral("%1-%2%3").arg(name.chopped(kSuffix.size())).arg(number).arg(kSuffix);
    return candidate;
}

} // namespace steelyard
