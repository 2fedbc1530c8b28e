// Models that the program knows by name: so far the starter, the small test model that a first start offers.
//
// Invariant: what is known comes from resources/known_models.json. Knows nothing of lists or windows.
#pragma once

#include <QString>

namespace steelyard {

struct KnownModel {
    QString fileName, sha256;
    qint64 sizeBytes = 0;
};

KnownModel starterModel();

// Whether a file of this name and size is the starter. The name alone would not do: anything can be called so.
bool isStarterModel(const QString& path, qint64 sizeBytes);

} // namespace steelyard
