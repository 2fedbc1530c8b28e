// Makes what was written survive a power cut.
//
// Knows nothing of what is in the file.
#pragma once

#include "engine/core/result.h"

#include <QFile>

namespace steelyard {

Result<void> syncFile(QFile& file);      // its bytes
void syncFolder(const QString& folder);  // its names; where a system cannot, nothing happens

} // namespace steelyard
