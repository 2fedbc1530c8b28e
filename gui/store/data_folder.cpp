#include "gui/store/data_folder.h"

#include <QDir>
#include <QStandardPaths>

namespace steelyard {

QString dataFolder() {
    const QString own = qEnvironmentVariable("STEELYARD_DATA_DIR");
    if (!own.isEmpty()) return QDir(own).absolutePath();
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/steelyard");
}

QString keptChatsFolder(const QString& dataFolder) {
    const QString usual = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/steelyard");
    if (dataFolder != usual) return dataFolder + QStringLiteral("/cache/chats");
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + QStringLiteral("/steelyard/chats");
}

QString ownModelsFolder() {
    return dataFolder() + QStringLiteral("/models");
}

} // namespace steelyard
