#include "gui/library/model_scan.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace steelyard {

namespace {

constexpr int kMostParts = 500;

class Scan {
public:
    void folder(const QString& path, int depth) {
        const QDir dir(path);
        const QString canonical = dir.canonicalPath();
        if (canonical.isEmpty() || m_seenFolders.contains(canonical)) return;
        if (depth > kScanDepth || m_result.folders.size() >= kScanFolders) {
            m_result.complete = false;
            return;
        }
        m_seenFolders.insert(canonical);
        m_result.folders.append(QDir::cleanPath(path));
        const QFileInfoList entries = dir.entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
        for (const QFileInfo& entry : entries) {
            if (entry.isDir()) folder(entry.filePath(), depth + 1);
            else file(entry);
        }
    }

    void file(const QFileInfo& info) {
        if (!info.fileName().endsWith(QStringLiteral(".gguf"), Qt::CaseInsensitive) || !info.isFile()) return;
        const QString canonical = info.canonicalFilePath();
        if (canonical.isEmpty() || m_seenFiles.contains(canonical)) return;
        if (m_result.files.size() >= kScanFiles) {
            m_result.complete = false;
            return;
        }
        const QStringList parts = partsBeside(QDir::cleanPath(info.absoluteFilePath()));
        FoundFile found{parts.first(), 0, 0};
        for (const QString& path : parts) {
            const QFileInfo part(path);
            m_seenFiles.insert(part.canonicalFilePath());
            found.sizeBytes += part.size();
            found.modifiedAtMs = std::max(found.modifiedAtMs, part.lastModified().toMSecsSinceEpoch());
        }
        m_result.files.append(found);
    }

    ScanResult result() const { return m_result; }

private:
    ScanResult m_result;
    QSet<QString> m_seenFolders, m_seenFiles;
};

} // namespace

QStringList partsBeside(const QString& path) {
    static const QRegularExpression kPart(QStringLiteral("^(.*-)(\\d{1,9})(-of-(\\d{1,9})\\.gguf)$"), QRegularExpression::CaseInsensitiveOption);
    const QFileInfo info(path);
    const auto name = kPart.match(info.fileName());
    if (!name.hasMatch() || name.captured(4).toInt() < 2) return {path};
    QStringList parts;
    for (int number = 1; number <= std::min(name.captured(4).toInt(), kMostParts); ++number) {
        const QString digits = QString::number(number).rightJustified(name.capturedLength(2), u'0');
        const QString part = info.dir().filePath(name.captured(1) + digits + name.captured(3));
        if (QFileInfo(part).isFile()) parts.append(part);
    }
    if (!parts.contains(path)) return {path}; // its number is beyond the count
    return parts;
}

ScanResult scanForModels(const QStringList& folders, const QStringList& files) {
    Scan scan;
    for (const QString& path : folders) scan.folder(path, 0);
    for (const QString& path : files) scan.file(QFileInfo(path));
    return scan.result();
}

} // namespace steelyard
