#include "gui/hub/sync_file.h"

#include <QCoreApplication>

#ifdef _WIN32
#include <io.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

namespace steelyard {

Result<void> syncFile(QFile& file) {
#ifdef _WIN32
    const bool done = file.flush() && _commit(file.handle()) == 0;
#else
    const bool done = file.flush() && fsync(file.handle()) == 0;
#endif
    if (done) return {};
    return Error{QCoreApplication::translate("SyncFile", "The disk reported an error while the file was completed.").toStdString()};
}

void syncFolder(const QString& folder) {
#ifdef _WIN32
    Q_UNUSED(folder)
#else
    const int handle = open(QFile::encodeName(folder).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0) return;
    fsync(handle);
    close(handle);
#endif
}

} // namespace steelyard
