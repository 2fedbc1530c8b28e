// The language of the window: finds the translation for a setting and puts it in place while the window is open.
//
// Invariant: numbers, plural forms and texts are of one language. Knows nothing of what is translated.
#pragma once

#include <QLocale>
#include <QObject>
#include <QTranslator>

class QQmlEngine;

namespace steelyard {

class LanguageSwitch : public QObject {
    Q_OBJECT

public:
    explicit LanguageSwitch(QObject* parent = nullptr);

    // "system", "en", "ru". An unknown one is English. `engine` may be null.
    void use(const QString& language, QQmlEngine* engine);
    QString language() const { return m_language; } // "en" or "ru"

private:
    const QLocale m_system;
    QString m_language;
    QTranslator m_texts;  // of this program
    QTranslator m_qt;     // of Qt's own dialogs, where the system has it
};

} // namespace steelyard
