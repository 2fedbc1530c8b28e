#include "gui/library/file_trash.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace steelyard {

Result<TrashedFiles> moveToTrash(const QStringList& paths) {
    TrashedFiles files;
    for (const QString& path : paths) {
        QString pathInTrash;
        if (QFile::moveToTrash(path, &pathInTrash)) {
            files.append({path, pathInTrash});
            continue;
        }
        if (auto back = takeOutOfTrash(files); !back) return back.error();
        return Error{QCoreApplication::translate("FileTrash", "The system has no trash for this disk.").toStdString()};
    }
    return files;
}

Result<void> takeOutOfTrash(const TrashedFiles& files) {
    Result<void> all;
    for (const TrashedFile& file : files) {
        if (file.pathInTrash.isEmpty() || QFileInfo::exists(file.path) || !QFile::rename(file.pathInTrash, file.path)) {
            all = Error{QCoreApplication::translate("FileTrash", "%1 could not be put back. It is still in the trash.")
                            .arg(QFileInfo(file.path).fileName())
                            .toStdString()};
            continue;
        }
        // Trash of the freedesktop kind keeps a note beside the file.
        const QFileInfo inTrash(file.pathInTrash);
        QFile::remove(inTrash.dir().filePath(QStringLiteral("../info/%1.trashinfo").arg(inTrash.fileName())));
    }
    return all;
}

Result<void> deleteFiles(const QStringList& paths) {
    for (const QString& path : paths) {
        QFile file(path);
        if (file.remove()) continue;
        return Error{QCoreApplication::translate("FileTrash", "%1 could not be deleted: %2")
                         .arg(QFileInfo(path).fileName(), file.errorString())
                         .toStdString()};
    }
    return {};
}

} // namespace steelyard
