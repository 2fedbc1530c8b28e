// Looks for model files in folders.
//
// Invariant: reads names, sizes and times only, never a file's content; unfinished downloads are no models; a file that two folders
// lead to is found once, and so is a model in several parts: by the first part that is there; depth and number are bounded. Any thread. Knows nothing of lists, headers or the database.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace steelyard {

struct FoundFile {
    QString path;
    qint64 sizeBytes = 0, modifiedAtMs = 0; // of all parts together; of the newest

    bool operator==(const FoundFile&) const = default;
};

struct ScanResult {
    QVector<FoundFile> files;
    QStringList folders;   // to be watched: every folder that was looked into
    bool complete = true;  // false: there was more than the bounds allow
};

constexpr int kScanDepth = 5;
constexpr int kScanFolders = 2000, kScanFiles = 2000;

// The parts of a model ("name-00002-of-00003.gguf") that lie beside one of them, with it and in order; a whole model is its only part.
QStringList partsBeside(const QString& path);

// `files` are looked at one by one; missing ones are left out.
ScanResult scanForModels(const QStringList& folders, const QStringList& files);

} // namespace steelyard
