// The library page's one door: the models, the downloads and what can be done with them.
//
// Invariant: nothing here waits for a disk or a server; what is done can be undone, except deleting where there is no trash,
// which is asked first. A chosen file or folder is used where it lies. Knows nothing of windows and of the settings' schema:
// folders come in by setFolders and go out by folderAdded.
#pragma once

#include "gui/library/download_list.h"
#include "gui/library/file_trash.h"
#include "gui/library/model_shelf.h"

#include <QObject>
#include <QThreadPool>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class Library : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the program")
    Q_PROPERTY(QAbstractItemModel* models READ models CONSTANT)
    Q_PROPERTY(steelyard::DownloadList* downloads READ downloads CONSTANT)
    Q_PROPERTY(bool scanning READ scanning NOTIFY scanningChanged)
    Q_PROPERTY(QString ownFolder READ ownFolder CONSTANT)
    Q_PROPERTY(bool watched READ watched WRITE setWatched NOTIFY watchedChanged) // the page is on the screen

public:
    // Engine, store, downloader and models outlive the library.
    Library(const QString& ownFolder, EngineClient* engine, Store* store, Downloader* downloader, ModelList* models, QObject* parent = nullptr);
    ~Library() override;

    QAbstractItemModel* models() const { return m_models; }
    DownloadList* downloads() { return &m_downloads; }
    bool scanning() const { return m_shelf.isScanning(); }
    QString ownFolder() const { return m_ownFolder; }
    bool watched() const { return m_watched; }
    void setWatched(bool watched);

    void setFolders(const QStringList& folders);
    void setPlanOptions(const LoadOptions& options); // how models would be loaded

    Q_INVOKABLE void addFolder(const QUrl& folder);
    // Model files and folders, chosen or dropped.
    Q_INVOKABLE void addFiles(const QList<QUrl>& files);
    Q_INVOKABLE void showFile(const QString& path);
    Q_INVOKABLE void copyPath(const QString& path);
    Q_INVOKABLE void takeOff(const QString& path); // off the list; the file stays. Tells takenOff
    Q_INVOKABLE void putBack(const QString& path);
    Q_INVOKABLE void moveToTrash(const QString& path); // tells trashed, or deletionAsked where there is no trash
    Q_INVOKABLE void takeOutOfTrash(const QString& path);
    Q_INVOKABLE void deleteForGood(const QString& path);

    // Starts the download of a pasted address; returns why not, or an empty string.
    Q_INVOKABLE QString fetch(const QString& address);
    Q_INVOKABLE void pauseDownload(quint64 id) { m_downloader->pause(id); }
    Q_INVOKABLE void resumeDownload(quint64 id) { m_downloader->resume(id); }
    Q_INVOKABLE void cancelDownload(quint64 id) { m_downloader->cancel(id); }
    Q_INVOKABLE void forgetDownload(quint64 id) { m_downloader->forget(id); }

signals:
    void scanningChanged();
    void watchedChanged();
    void folderAdded(const QString& path);                    // to be kept and given back by setFolders
    void takenOff(const QString& path, const QString& title);
    void trashed(const QString& path, const QString& title);
    void deletionAsked(const QString& path, const QString& title, const QString& size);
    void arrived(const QString& path, const QString& title);  // a download is complete
    void failed(const QString& sentence);

private:
    template <class T>
    void runJob(std::function<T()> work, std::function<void(T)> done);
    void letGo(const QString& path); // the engine closes the file

    QString m_ownFolder;
    QStringList m_folders;
    EngineClient* m_engine;
    Downloader* m_downloader;
    ModelList* m_models;
    ModelShelf m_shelf;
    DownloadList m_downloads;
    QHash<QString, TrashedFiles> m_inTrash; // by the path of the model
    QThreadPool m_jobs;
    bool m_watched = false;
};

} // namespace steelyard
