// Models that the program knows: how a person would call a file whose own name says little, and which one is the starter,
// the small test model that a first start offers.
//
// Invariant: what is known comes from resources/known_models.json. A file is known by its SHA-256 where that was computed, else
// by name and size together: anything can be called so. Knows nothing of lists or windows.
#pragma once

#include <QString>

namespace steelyard {

struct KnownModel {
    QString name, fileName, sha256;
    qint64 sizeBytes = 0;
    bool starter = false;
};

// The known model that a file is, or one without a name. `sha256` may be empty.
KnownModel knownModel(const QString& path, qint64 sizeBytes, const QString& sha256 = {});

// How a model file is called: as it is known, else by `headerName`, else by its file name.
QString shownModelName(const QString& path, qint64 sizeBytes, const QString& headerName, const QString& sha256 = {});

} // namespace steelyard
