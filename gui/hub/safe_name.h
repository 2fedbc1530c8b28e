// File names for what comes from the network.
//
// Invariant: a name from here is one plain component that POSIX and Windows both accept, on every platform: no separators,
// drives, streams, device names, control or invisible characters, no dot or blank at either end, at most 180 bytes, ending
// in .gguf. Knows nothing of addresses and transfers.
#pragma once

#include "engine/core/result.h"

#include <QString>

namespace steelyard {

// The name to store a remote file under; an error where nothing of the name is left.
Result<QString> safeFileName(const QString& remoteName);

// `name`, or a numbered form of it that no entry of `folder` has, whatever the case; entries with `.part` behind count too.
QString freeFileName(const QString& folder, const QString& name);

} // namespace steelyard
