// A download on disk until it is whole: NAME.part holds the bytes, NAME.part.json what is needed to go on after a restart.
//
// Invariant: NAME appears only by finish(), at once and whole; the hash covers exactly the bytes in the part; a link in the
// way is never followed. Knows nothing of the network.
#pragma once

#include "engine/core/result.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QString>
#include <QUrl>
#include <QVector>

namespace steelyard {

// What the side file keeps.
struct PartRecord {
    QString fileName; // the final name
    QUrl url;         // as asked for
    QString label;
    QString etag;     // of the server that sent the bytes
    QString sha256;   // as published, 64 hex digits, or empty
    qint64 totalBytes = -1;
};

class PartFile {
    Q_DECLARE_TR_FUNCTIONS(PartFile)

public:
    static constexpr qsizetype kHeadBytes = 64;

    PartFile(const QString& folder, const PartRecord& record);

    // Opens or makes the part. What is there already counts once hashMore() said true.
    Result<void> open();
    // Reads the next piece of what was there already into the hash; true when all of it is in.
    Result<bool> hashMore();
    void close();

    qint64 size() const { return m_size; }
    const PartRecord& record() const { return m_record; }
    Result<void> append(const QByteArray& bytes);
    Result<void> restart();                        // from nothing
    Result<void> setRecord(const PartRecord& record); // name and folder stay
    QString hash() const;                          // 64 hex digits
    const QByteArray& head() const { return m_head; } // the first bytes, at most kHeadBytes
    // On disk for good, then under its own name; the side file goes. Returns the path.
    Result<QString> finish();
    void discard();                                // both files go

    // The unfinished downloads of a folder.
    static QVector<PartRecord> unfinished(const QString& folder);
    static qint64 sizeOf(const QString& folder, const PartRecord& record);

private:
    void count(const QByteArray& bytes);
    Error writeError() const;
    QString path(const QString& suffix) const;

    QString m_folder;
    PartRecord m_record;
    QFile m_file;
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
    QByteArray m_head;
    qint64 m_size = 0, m_hashed = 0;
};

} // namespace steelyard
