#include "gui/settings/settings.h"

#include "gui/store/store.h"

namespace steelyard {

Settings::Settings(Store* store, QObject* parent) : QObject(parent), m_store(store) {
    for (const SettingSpec& spec : settingsSchema()) apply(spec, spec.standard);
    // The map is for reading: what a binding would write goes back to the value that counts.
    connect(&m_map, &QQmlPropertyMap::valueChanged, this, [this](const QString& name, const QVariant&) {
        for (const SettingSpec& spec : settingsSchema())
            if (mapKey(QLatin1String(spec.key)) == name) m_map.insert(name, m_values.value(QLatin1String(spec.key)));
    });
    if (!m_store) {
        m_ready = true;
        return;
    }
    m_store->run(
        this, [](Repositories& repositories) { return repositories.settings.all(); },
        [this](const Result<QHash<QString, QJsonValue>>& stored) {
            if (stored.ok()) adopt(stored.value());
            m_ready = true;
            emit readyChanged();
        });
}

QVariant Settings::value(const QString& key) const { return m_values.value(key); }

void Settings::set(const QString& key, const QVariant& value) {
    const SettingSpec* spec = findSetting(key);
    if (!spec) return;
    const QVariant accepted = acceptedValue(*spec, value);
    if (!accepted.isValid() || accepted == m_values.value(key)) return;
    apply(*spec, accepted);
    if (m_store) {
        m_store->run([key, json = QJsonValue::fromVariant(accepted)](Repositories& repositories) {
            return repositories.settings.set(key, json);
        });
    }
    emit changed(key);
}

void Settings::reset(const QString& key) {
    const SettingSpec* spec = findSetting(key);
    if (!spec || isDefault(key)) return;
    apply(*spec, spec->standard);
    if (m_store) m_store->run([key](Repositories& repositories) { return repositories.settings.reset(key); });
    emit changed(key);
}

bool Settings::isDefault(const QString& key) const {
    const SettingSpec* spec = findSetting(key);
    return !spec || m_values.value(key) == acceptedValue(*spec, spec->standard);
}

void Settings::adopt(const QHash<QString, QJsonValue>& stored) {
    for (const SettingSpec& spec : settingsSchema()) {
        const QString key = QLatin1String(spec.key);
        const auto found = stored.constFind(key);
        if (found == stored.constEnd()) continue;
        const QVariant accepted = acceptedValue(spec, found->toVariant());
        if (!accepted.isValid() || accepted == m_values.value(key)) continue;
        apply(spec, accepted);
        emit changed(key);
    }
}

void Settings::apply(const SettingSpec& spec, const QVariant& value) {
    const QString key = QLatin1String(spec.key);
    const QVariant accepted = acceptedValue(spec, value);
    m_values.insert(key, accepted);
    m_map.insert(mapKey(key), accepted);
}

QString Settings::mapKey(const QString& key) {
    QString name = key;
    return name.replace(QLatin1Char('.'), QLatin1Char('_'));
}

} // namespace steelyard
