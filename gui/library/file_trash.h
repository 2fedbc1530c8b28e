// Puts files into the system's trash and takes them out again.
//
// Invariant: files are either all in their places or all in the trash; nothing is deleted here except by deleteFiles. Any thread. Knows
// nothing of models.
#pragma once

#include "engine/core/result.h"

#include <QString>
#include <QStringList>
#include <QVector>

namespace steelyard {

struct TrashedFile {
    QString path, pathInTrash;
};
using TrashedFiles = QVector<TrashedFile>;

// Where they lie in the trash; an error where the system has no trash for this disk.
Result<TrashedFiles> moveToTrash(const QStringList& paths);
Result<void> takeOutOfTrash(const TrashedFiles& files);
Result<void> deleteFiles(const QStringList& paths); // for good

} // namespace steelyard
