// Puts files into the system's trash and takes them out again.
//
// Invariant: a file is either in its place or in the trash; nothing is deleted here except by deleteFile. Any thread. Knows nothing
// of models.
#pragma once

#include "engine/core/result.h"

#include <QString>

namespace steelyard {

// Where it lies in the trash; an error where the system has no trash for this disk.
Result<QString> moveToTrash(const QString& path);
Result<void> takeOutOfTrash(const QString& pathInTrash, const QString& path);
Result<void> deleteFile(const QString& path); // for good

} // namespace steelyard
