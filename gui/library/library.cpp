#include "gui/library/library.h"

#include "gui/library/show_in_folder.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>

#include <utility>

namespace steelyard {

Library::Library(const QString& ownFolder, EngineClient* engine, Store* store, Downloader* downloader, ModelList* models, QObject* parent)
    : QObject(parent), m_ownFolder(ownFolder), m_engine(engine), m_downloader(downloader), m_models(models),
      m_shelf(ownFolder, engine, store, models), m_downloads(downloader) {
    m_jobs.setMaxThreadCount(1);
    connect(&m_shelf, &ModelShelf::scanningChanged, this, &Library::scanningChanged);
    connect(m_downloader, &Downloader::finished, this, [this](const DownloadInfo& download) {
        m_shelf.noteDownload(download.progress.path, download.progress.sha256, download.url.toString(QUrl::RemoveUserInfo));
        emit arrived(download.progress.path, QFileInfo(download.fileName).completeBaseName());
    });
}

Library::~Library() {
    m_jobs.waitForDone();
}

template <class T>
void Library::runJob(std::function<T()> work, std::function<void(T)> done) {
    // The destructor waits for the job, and an answer that is still queued then is dropped with this object.
    m_jobs.start([this, work = std::move(work), done = std::move(done)] {
        QMetaObject::invokeMethod(this, [done, result = work()] { done(result); }, Qt::QueuedConnection);
    });
}

void Library::setWatched(bool watched) {
    if (watched == m_watched) return;
    m_watched = watched;
    m_shelf.setWatched(watched);
    emit watchedChanged();
}

void Library::setFolders(const QStringList& folders) {
    m_folders = folders;
    m_shelf.setFolders(folders);
}

void Library::setPlanOptions(const LoadOptions& options) {
    m_shelf.setPlanOptions(options);
}

void Library::addFolder(const QUrl& folder) {
    const QString path = QDir::cleanPath(folder.toLocalFile());
    if (!folder.isLocalFile() || !QFileInfo(path).isDir()) return emit failed(tr("%1 is no folder of this computer.").arg(folder.toDisplayString()));
    if (path == QDir::cleanPath(m_ownFolder) || m_folders.contains(path)) return emit failed(tr("%1 is in the library already.").arg(QDir::toNativeSeparators(path)));
    emit folderAdded(path);
}

void Library::addFiles(const QList<QUrl>& files) {
    for (const QUrl& url : files) {
        const QFileInfo file(url.toLocalFile());
        if (url.isLocalFile() && file.isDir()) addFolder(url);
        else if (!url.isLocalFile() || !file.isFile()) emit failed(tr("%1 is no file of this computer.").arg(url.toDisplayString()));
        else if (file.suffix().compare(QStringLiteral("gguf"), Qt::CaseInsensitive) != 0)
            emit failed(tr("%1 is no GGUF file. Steelyard runs models whose name ends in .gguf.").arg(file.fileName()));
        else m_shelf.addFile(QDir::cleanPath(file.absoluteFilePath()));
    }
}

void Library::showFile(const QString& path) {
    showInFolder(path);
}

void Library::copyPath(const QString& path) {
    QGuiApplication::clipboard()->setText(QDir::toNativeSeparators(path));
}

void Library::takeOff(const QString& path) {
    const QString title = m_models->title(path);
    m_shelf.setHidden(path, true);
    emit takenOff(path, title);
}

void Library::putBack(const QString& path) {
    m_shelf.setHidden(path, false);
}

void Library::letGo(const QString& path) {
    if (m_engine->modelPath() == path) m_engine->unload();
}

void Library::moveToTrash(const QString& path) {
    const QString title = m_models->title(path);
    const QStringList files = partsBeside(path);
    qint64 bytes = 0;
    for (const QString& file : files) bytes += QFileInfo(file).size();
    const QString size = bytesInWords(bytes);
    letGo(path);
    runJob<Result<TrashedFiles>>([files] { return steelyard::moveToTrash(files); }, [this, path, title, size](const Result<TrashedFiles>& inTrash) {
        if (!QFileInfo::exists(path) && !inTrash) return m_shelf.rescan();
        if (!inTrash) return emit deletionAsked(path, title, size);
        m_inTrash.insert(path, *inTrash);
        m_shelf.rescan();
        emit trashed(path, title);
    });
}

void Library::takeOutOfTrash(const QString& path) {
    runJob<Result<void>>([inTrash = m_inTrash.take(path)] { return steelyard::takeOutOfTrash(inTrash); }, [this](const Result<void>& done) {
        if (!done) emit failed(QString::fromStdString(done.sentence()));
        m_shelf.rescan();
    });
}

void Library::deleteForGood(const QString& path) {
    letGo(path);
    runJob<Result<void>>([files = partsBeside(path)] { return deleteFiles(files); }, [this](const Result<void>& done) {
        if (!done) emit failed(QString::fromStdString(done.sentence()));
        m_shelf.rescan();
    });
}

QString Library::fetch(const QString& address) {
    return QString::fromStdString(m_downloader->start(address).sentence());
}

} // namespace steelyard
