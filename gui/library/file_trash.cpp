#include "gui/library/file_trash.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace steelyard {

Result<QString> moveToTrash(const QString& path) {
    QString pathInTrash;
    if (QFile::moveToTrash(path, &pathInTrash)) return pathInTrash;
    return Error{QCoreApplication::translate("FileTrash", "The system has no trash for this disk.").toStdString()};
}

Result<void> takeOutOfTrash(const QString& pathInTrash, const QString& path) {
    if (pathInTrash.isEmpty() || QFileInfo::exists(path) || !QFile::rename(pathInTrash, path))
        return Error{QCoreApplication::translate("FileTrash", "%1 could not be put back. It is still in the trash.")
                         .arg(QFileInfo(path).fileName())
                         .toStdString()};
    // Trash of the freedesktop kind keeps a note beside the file.
    const QFileInfo inTrash(pathInTrash);
    QFile::remove(inTrash.dir().filePath(QStringLiteral("../info/%1.trashinfo").arg(inTrash.fileName())));
    return {};
}

Result<void> deleteFile(const QString& path) {
    QFile file(path);
    if (file.remove()) return {};
    return Error{QCoreApplication::translate("FileTrash", "%1 could not be deleted: %2")
                     .arg(QFileInfo(path).fileName(), file.errorString())
                     .toStdString()};
}

} // namespace steelyard
