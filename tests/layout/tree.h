// The source tree as the layout tests see it: its files by path from the top, and their lines.
//
// Invariant: paths are relative, with slashes, sorted; reference data and build folders are left out. Knows nothing of rules.
#pragma once

#include <QStringList>

namespace steelyard {

class Tree {
public:
    explicit Tree(const QString& top);

    const QStringList& files() const { return m_files; }      // every source, script, page of text, QML and data file
    QStringList filesIn(const QString& folder, const QStringList& suffixes) const;
    QStringList foldersWithSources() const;
    QStringList namesAtTop() const;
    QStringList linesOf(const QString& path) const;
    bool has(const QString& path) const { return m_files.contains(path); }

private:
    QString m_top;
    QStringList m_files;
};

QString folderOf(const QString& path);                        // "engine/core/log.h" -> "engine/core"
QString stemOf(const QString& path);                          // "kernels/ops/add.h" -> "add"
bool isUnder(const QString& path, const QString& place);      // place: a folder, or one file

} // namespace steelyard
