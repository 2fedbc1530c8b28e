// Keeps the list of models true to the disk: looks for files, reads new ones' headers, forgets what is gone.
//
// Invariant: looking runs on a thread of its own and reading on the engine client's, never on the GUI thread; a header is read once
// per size and time of its file; what the person took off the list stays off. Memory is planned only while somebody looks at
// the list. Knows nothing of windows and downloads.
#pragma once

#include "gui/engine_client/engine_client.h"
#include "gui/library/model_scan.h"
#include "gui/store/model_list.h"
#include "gui/store/store.h"

#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

namespace steelyard {

class ModelShelf : public QObject {
    Q_OBJECT

public:
    // All three outlive the shelf.
    ModelShelf(const QString& ownFolder, EngineClient* engine, Store* store, ModelList* models, QObject* parent = nullptr);
    ~ModelShelf() override;

    void setFolders(const QStringList& folders); // besides the own one
    // How models would be loaded; the path is ignored.
    void setPlanOptions(const LoadOptions& options);
    void setWatched(bool watched); // the list is on the screen
    void rescan();
    bool isScanning() const { return m_scanning; }

    void addFile(const QString& chosen);                 // stays where it is
    void setHidden(const QString& path, bool hidden);
    void noteDownload(const QString& path, const QString& sha256, const QString& source);
    bool eventFilter(QObject* object, QEvent* event) override;

signals:
    void scanningChanged();

private:
    void scheduleRescan();
    void adopt(const ScanResult& result);
    void show(const FoundFile& file);
    void read(const FoundFile& file);
    void fileRead(const FoundFile& file, const Result<FileSummary>& summary);
    void planShown();
    void planOne(const QString& path);
    void setFit(const QString& path, int fit, const QString& text);
    void save(const ModelRecord& record);
    ModelRecord recordOf(const FoundFile& file) const;
    ModelEntry entryOf(const ModelRecord& record) const;
    void watch(const QStringList& folders);

    QString m_ownFolder;
    QStringList m_folders;
    EngineClient* m_engine;
    Store* m_store;
    ModelList* m_models;
    QHash<QString, ModelRecord> m_records;  // by path: what the store knows
    QHash<QString, FoundFile> m_found;      // by path: what the disk holds
    QHash<QString, FoundFile> m_readNow;    // headers read in this session
    QHash<QString, LoadOptions> m_planned;  // by path: what its fit was predicted for
    LoadOptions m_planOptions;
    QFileSystemWatcher m_watcher;
    QTimer m_settle, m_recheck;
    QThreadPool m_jobs;
    bool m_known = false, m_scanning = false, m_again = false, m_watched = false;
};

} // namespace steelyard
