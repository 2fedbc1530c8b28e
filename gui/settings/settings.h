// The settings as the program reads and writes them: one value per row of the schema, kept by the store.
//
// Invariant: every value is one that the schema accepts; what the store holds beyond the schema is ignored and left alone.
// Reading never waits: until ready() the defaults count. GUI thread. Knows nothing of what a setting does.
#pragma once

#include "gui/settings/settings_schema.h"

#include <QHash>
#include <QJsonValue>
#include <QObject>
#include <QQmlPropertyMap>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class Store;

class Settings : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the program")
    Q_PROPERTY(bool ready READ ready NOTIFY readyChanged FINAL)
    // Readable by key (dots become underscores), and bindings follow: settings.values.theme, settings.values.window_page.
    Q_PROPERTY(QVariant values READ valuesForQml CONSTANT FINAL)

public:
    // Reads what `store` holds; without a store nothing is kept beyond this object.
    explicit Settings(Store* store, QObject* parent = nullptr);

    bool ready() const { return m_ready; }
    QQmlPropertyMap* values() { return &m_map; }
    QVariant valuesForQml() { return QVariant::fromValue<QObject*>(&m_map); }

    QVariant value(const QString& key) const;
    // An unknown key or a value that the schema refuses changes nothing.
    Q_INVOKABLE void set(const QString& key, const QVariant& value);
    Q_INVOKABLE void reset(const QString& key);
    bool isDefault(const QString& key) const;

signals:
    void readyChanged();
    void changed(const QString& key);

private:
    void adopt(const QHash<QString, QJsonValue>& stored);
    void apply(const SettingSpec& spec, const QVariant& value);
    static QString mapKey(const QString& key);

    Store* m_store;
    bool m_ready = false;
    QHash<QString, QVariant> m_values; // every key of the schema
    QQmlPropertyMap m_map;
};

} // namespace steelyard
