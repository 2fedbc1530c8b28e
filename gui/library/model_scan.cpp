#include "gui/library/model_scan.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>

namespace steelyard {

namespace {

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
        if (!isModelName(info.fileName()) || !info.isFile()) return;
        const QString canonical = info.canonicalFilePath();
        if (canonical.isEmpty() || m_seenFiles.contains(canonical)) return;
        if (m_result.files.size() >= kScanFiles) {
            m_result.complete = false;
            return;
        }
        m_seenFiles.insert(canonical);
        m_result.files.append({QDir::cleanPath(info.absoluteFilePath()), info.size(), info.lastModified().toMSecsSinceEpoch()});
    }

    ScanResult result() const { return m_result; }

private:
    // Of a model in several parts only the first one stands for it.
    static bool isModelName(const QString& name) {
        static const QRegularExpression kPart(QStringLiteral("-(\\d{5})-of-\\d{5}\\.gguf$"), QRegularExpression::CaseInsensitiveOption);
        if (!name.endsWith(QStringLiteral(".gguf"), Qt::CaseInsensitive)) return false;
        const auto part = kPart.match(name);
        return !part.hasMatch() || part.captured(1).toInt() == 1;
    }

    ScanResult m_result;
    QSet<QString> m_seenFolders, m_seenFiles;
};

} // namespace

ScanResult scanForModels(const QStringList& folders, const QStringList& files) {
    Scan scan;
    for (const QString& path : folders) scan.folder(path, 0);
    for (const QString& path : files) scan.file(QFileInfo(path));
    return scan.result();
}

} // namespace steelyard
