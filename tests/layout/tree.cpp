#include "tests/layout/tree.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QSet>

#include <algorithm>

namespace steelyard {

namespace {

const QStringList kFolders = {"gui", "engine", "kernels", "shaders", "resources", "tests", "installer"};
const QStringList kSources = {"h", "cpp", "cu", "cuh", "comp", "glsl", "qml"};

} // namespace

Tree::Tree(const QString& top) : m_top(top) {
    QDir root(top);
    for (const QString& name : root.entryList(QDir::Files | QDir::Hidden)) m_files += name;
    for (const QString& folder : kFolders) {
        QDirIterator walk(root.filePath(folder), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            const QString path = root.relativeFilePath(walk.next());
            if (!isUnder(path, "tests/data") && !path.contains("__pycache__")) m_files += path;
        }
    }
    std::sort(m_files.begin(), m_files.end());
}

QStringList Tree::filesIn(const QString& folder, const QStringList& suffixes) const {
    QStringList found;
    for (const QString& path : m_files)
        if (isUnder(path, folder) && suffixes.contains(QFileInfo(path).suffix())) found += path;
    return found;
}

QStringList Tree::foldersWithSources() const {
    QSet<QString> folders;
    for (const QString& path : m_files)
        if (kSources.contains(QFileInfo(path).suffix())) folders += folderOf(path);
    QStringList sorted(folders.begin(), folders.end());
    sorted.sort();
    return sorted;
}

QStringList Tree::namesAtTop() const {
    return QDir(m_top).entryList(QDir::AllEntries | QDir::NoDotAndDotDot, QDir::Name);
}

QStringList Tree::linesOf(const QString& path) const {
    QFile file(QDir(m_top).filePath(path));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QStringList lines = QString::fromUtf8(file.readAll()).split('\n');
    if (!lines.isEmpty() && lines.last().isEmpty()) lines.removeLast();
    return lines;
}

QString folderOf(const QString& path) {
    const auto slash = path.lastIndexOf('/');
    return slash < 0 ? QString() : path.left(slash);
}

QString stemOf(const QString& path) { return QFileInfo(path).completeBaseName(); }

bool isUnder(const QString& path, const QString& place) {
    return place.isEmpty() || path == place || path.startsWith(place + '/');
}

} // namespace steelyard
