#include "gui/shell/language_switch.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QQmlEngine>

namespace steelyard {

namespace {

const QStringList kLanguages = {QStringLiteral("en"), QStringLiteral("ru")};

QString languageOf(const QLocale& system) {
    const QStringList wishes = system.uiLanguages();
    for (const QString& wish : wishes)
        if (kLanguages.contains(wish.section(u'-', 0, 0))) return wish.section(u'-', 0, 0);
    return kLanguages.front();
}

} // namespace

LanguageSwitch::LanguageSwitch(QObject* parent) : QObject(parent), m_system(QLocale::system()) {}

void LanguageSwitch::use(const QString& language, QQmlEngine* engine) {
    const QString wanted = language == QLatin1String("system") ? languageOf(m_system) : kLanguages.contains(language) ? language : kLanguages.front();
    if (wanted == m_language) return;
    m_language = wanted;
    // The system's own locale keeps its habits of numbers where the language is the same.
    const bool same = m_system.language() == QLocale(wanted).language();
    QLocale::setDefault(same ? m_system : QLocale(wanted));
    QCoreApplication::removeTranslator(&m_texts);
    QCoreApplication::removeTranslator(&m_qt);
    if (m_qt.load(QStringLiteral("qtbase_") + wanted, QLibraryInfo::path(QLibraryInfo::TranslationsPath))) QCoreApplication::installTranslator(&m_qt);
    if (m_texts.load(QStringLiteral(":/i18n/steelyard_") + wanted)) QCoreApplication::installTranslator(&m_texts);
    if (!engine) return;
    engine->setUiLanguage(wanted);
    engine->retranslate();
}

} // namespace steelyard
