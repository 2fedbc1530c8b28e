// Opens the system's file manager with a file selected.
//
// Invariant: returns at once. Knows nothing of models.
#pragma once

#include <QString>

namespace steelyard {

void showInFolder(const QString& path);

} // namespace steelyard
