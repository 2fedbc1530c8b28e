#include "gui/store/settings_repository.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace steelyard {

// A bare JSON value is no document, so values are written inside an array of one.
Result<QHash<QString, QJsonValue>> SettingsRepository::all() {
    auto rows = m_database.run(QStringLiteral("SELECT key, value FROM settings"));
    if (!rows) return rows.error();
    QHash<QString, QJsonValue> settings;
    while (rows->next()) {
        const QByteArray wrapped = '[' + rows->value(1).toByteArray() + ']';
        const QJsonArray array = QJsonDocument::fromJson(wrapped).array();
        if (array.size() == 1) settings.insert(rows->value(0).toString(), array.first()); // a spoilt value means the default
    }
    return settings;
}

Result<void> SettingsRepository::set(const QString& key, const QJsonValue& value) {
    const QByteArray wrapped = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return m_database.execute(QStringLiteral("INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"),
                              {key, QString::fromUtf8(wrapped.mid(1, wrapped.size() - 2))});
}

Result<void> SettingsRepository::reset(const QString& key) {
    return m_database.execute(QStringLiteral("DELETE FROM settings WHERE key = ?"), {key});
}

} // namespace steelyard
