#include "gui/shell/system_look.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace steelyard {

namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kGroup = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");

} // namespace

SystemLook::SystemLook(QObject* parent) : QObject(parent) {
    // Without a session's address Qt would try to start a bus and wait for it.
    if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) return;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this, SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage question = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    question << kGroup << kKey;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(question), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (!reply.isError()) take(reply.value().variant());
        watcher->deleteLater();
    });
}

void SystemLook::settingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group == kGroup && key == kKey) take(value.variant());
}

// 0 = no wish, 1 = dark, 2 = light; older portals wrap the number twice.
void SystemLook::take(const QVariant& value) {
    QVariant plain = value;
    while (plain.canConvert<QDBusVariant>()) plain = plain.value<QDBusVariant>().variant();
    const uint wish = plain.toUInt();
    m_dark = wish == 0 ? std::nullopt : std::optional<bool>(wish == 1);
    emit changed();
}

} // namespace steelyard
