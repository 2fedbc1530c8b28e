// What the desktop wishes: dark or light, and less motion. Asked of the desktop portal where there is one, else unknown.
//
// Invariant: asking never waits; the answer, and every later change, comes as a signal. Knows nothing of themes.
#pragma once

#include <QDBusVariant>
#include <QObject>
#include <QtQml/qqmlregistration.h>

#include <optional>

namespace steelyard {

class SystemLook : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the program")
    Q_PROPERTY(bool known READ known NOTIFY changed FINAL) // false: the palette has to tell
    Q_PROPERTY(bool dark READ dark NOTIFY changed FINAL)

public:
    explicit SystemLook(QObject* parent = nullptr);

    bool known() const { return m_dark.has_value(); }
    bool dark() const { return m_dark.value_or(false); }

signals:
    void changed();

private slots:
    void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void take(const QVariant& value);

    std::optional<bool> m_dark;
};

} // namespace steelyard
