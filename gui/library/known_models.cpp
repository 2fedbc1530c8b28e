#include "gui/library/known_models.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

// Outside the namespace, as Qt's macro wants it.
static void initializeKnownModels() {
    Q_INIT_RESOURCE(known_models);
}

namespace steelyard {

KnownModel starterModel() {
    initializeKnownModels();
    QFile file(QStringLiteral(":/models/known_models.json"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QJsonObject starter = QJsonDocument::fromJson(file.readAll()).object().value(QStringLiteral("starter")).toObject();
    return {starter.value(QStringLiteral("fileName")).toString(), starter.value(QStringLiteral("sha256")).toString(),
            qint64(starter.value(QStringLiteral("sizeBytes")).toDouble())};
}

bool isStarterModel(const QString& path, qint64 sizeBytes) {
    static const KnownModel kStarter = starterModel();
    return sizeBytes == kStarter.sizeBytes && QFileInfo(path).fileName().compare(kStarter.fileName, Qt::CaseInsensitive) == 0;
}

} // namespace steelyard
