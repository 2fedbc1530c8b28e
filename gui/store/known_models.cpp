#include "gui/store/known_models.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QVector>

// Outside the namespace, as Qt's macro wants it.
static void initializeKnownModels() {
    Q_INIT_RESOURCE(known_models);
}

namespace steelyard {

namespace {

QVector<KnownModel> readKnownModels() {
    initializeKnownModels();
    QFile file(QStringLiteral(":/models/known_models.json"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QVector<KnownModel> models;
    const QJsonArray rows = QJsonDocument::fromJson(file.readAll()).object().value(QStringLiteral("models")).toArray();
    for (const QJsonValue& row : rows)
        models.append({row[QStringLiteral("name")].toString(), row[QStringLiteral("fileName")].toString(), row[QStringLiteral("sha256")].toString(),
                       row[QStringLiteral("sizeBytes")].toInteger(), row[QStringLiteral("starter")].toBool()});
    return models;
}

} // namespace

KnownModel knownModel(const QString& path, qint64 sizeBytes, const QString& sha256) {
    static const QVector<KnownModel> kModels = readKnownModels();
    const QString fileName = QFileInfo(path).fileName();
    for (const KnownModel& model : kModels) {
        if (model.sizeBytes != sizeBytes) continue;
        const bool same = sha256.isEmpty() ? fileName.compare(model.fileName, Qt::CaseInsensitive) == 0 : sha256 == model.sha256;
        if (same) return model;
    }
    return {};
}

QString shownModelName(const QString& path, qint64 sizeBytes, const QString& headerName, const QString& sha256) {
    const QString known = knownModel(path, sizeBytes, sha256).name;
    if (!known.isEmpty()) return known;
    if (!headerName.isEmpty()) return headerName;
    static const QRegularExpression kPart(QStringLiteral("-\\d+-of-\\d+$")); // of a model in several files
    return QFileInfo(path).completeBaseName().remove(kPart);
}

} // namespace steelyard
