// Settings as key and JSON value.
//
// Invariant: only values that the person changed are stored; a missing key means the schema's default. Runs on the store
// thread inside the caller's transaction. Knows nothing of the schema.
#pragma once

#include "gui/store/database.h"

#include <QHash>
#include <QJsonValue>

namespace steelyard {

class SettingsRepository {
public:
    explicit SettingsRepository(Database& database) : m_database(database) {}

    Result<QHash<QString, QJsonValue>> all();
    Result<void> set(const QString& key, const QJsonValue& value);
    Result<void> reset(const QString& key); // back to the default

private:
    Database& m_database;
};

} // namespace steelyard
