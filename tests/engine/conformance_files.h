// Where the tests find reference data: vocabularies and templates of other people in the conformance folder, our own in
// tests/data, the real models in the model cache.
#pragma once

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFile>
#include <QString>

namespace steelyard {

// The conformance folder; it may be absent.
inline QString conformanceFolder() {
    const QString given = qEnvironmentVariable("STEELYARD_CONFORMANCE");
    return given.isEmpty() ? QStringLiteral(STEELYARD_SHARED_CONFORMANCE) : given;
}

// A model file of the cache; it may be absent.
inline QString cachedModel(const char* name) {
    return qEnvironmentVariable("STEELYARD_MODEL_CACHE") + "/" + name;
}

inline QByteArray readBytes(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline nlohmann::ordered_json readJsonFile(const QString& path) {
    return nlohmann::ordered_json::parse(readBytes(path).toStdString());
}

} // namespace steelyard
