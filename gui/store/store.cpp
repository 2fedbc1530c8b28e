#include "gui/store/store.h"

#include "gui/store/migrations.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QTemporaryDir>

namespace steelyard {

namespace {

const QString kFileName = QStringLiteral("steelyard.db");
const QString kInMemory = QStringLiteral(":memory:");

Result<std::unique_ptr<Database>> openMigrated(const QString& path) {
    const bool wasCutOff = QFileInfo::exists(path + QStringLiteral("-wal")); // the last program did not close it
    auto database = Database::open(path);
    if (!database) return database.error();
    if (wasCutOff)
        if (auto sound = (*database)->checkIntegrity(); !sound) return sound.error();
    if (auto done = Migrations::apply(**database, Migrations::embedded()); !done) return done.error();
    SearchRepository search(**database);
    if (auto done = search.prepare(); !done) return done.error();
    return database;
}

} // namespace

// Everything of the store thread: made, used and destroyed there.
class Store::Session {
public:
    explicit Session(const QString& folder) : m_folder(folder) {}

    // Returns why nothing is saved, or an empty string.
    QString open() {
        const QString path = QDir(m_folder).filePath(kFileName);
        QString problem = openFile(path);
        if (problem.isEmpty()) return {};
        m_database.reset();
        m_lock.reset();
        if (!m_isForeign && openCopy(path)) return Store::tr("%1 The chats are shown, but nothing new will be kept.").arg(problem);
        auto empty = openMigrated(kInMemory);
        if (empty) adopt(std::move(*empty));
        return Store::tr("%1 You can chat, but nothing will be kept.").arg(problem);
    }

    Database* database() { return m_database.get(); }
    Repositories& repositories() { return *m_repositories; }

private:
    QString openFile(const QString& path) {
        if (!QDir().mkpath(m_folder)) return Store::tr("The folder %1 cannot be made.").arg(QDir::toNativeSeparators(m_folder));
        if (!QFileInfo(m_folder).isWritable() || (QFileInfo::exists(path) && !QFileInfo(path).isWritable()))
            return Store::tr("The folder %1 cannot be written.").arg(QDir::toNativeSeparators(m_folder));
        if (const QString busy = lock(path); !busy.isEmpty()) return busy;
        auto opened = openMigrated(path);
        if (!opened)
            return Store::tr("%1 The file was left as it is: %2.")
                .arg(QString::fromStdString(opened.sentence()), QDir::toNativeSeparators(path));
        adopt(std::move(*opened));
        // A deletion can be undone until the program ends.
        static_cast<void>(m_repositories->chats.purgeRemoved(QDateTime::currentMSecsSinceEpoch()));
        static_cast<void>(m_repositories->comparisons.purgeRemoved(QDateTime::currentMSecsSinceEpoch()));
        return {};
    }

    // One writing program per file. The lock of a program that died is taken over.
    QString lock(const QString& path) {
        m_lock = std::make_unique<QLockFile>(path + QStringLiteral(".lock"));
        m_lock->setStaleLockTime(0);
        if (m_lock->tryLock(0)) return {};
        m_isForeign = m_lock->error() == QLockFile::LockFailedError;
        if (!m_isForeign) return Store::tr("The folder %1 cannot be written.").arg(QDir::toNativeSeparators(m_folder));
        qint64 process = 0;
        QString host, program;
        m_lock->getLockInfo(&process, &host, &program);
        return Store::tr("Another Steelyard (process %1 on %2) has the chats open.").arg(QString::number(process), host);
    }

    // Where the folder cannot be written, a copy lets the person read their chats.
    bool openCopy(const QString& path) {
        if (!QFileInfo::exists(path) || !m_copyFolder.isValid()) return false;
        const QString copy = m_copyFolder.filePath(kFileName);
        if (!QFile::copy(path, copy)) return false;
        QFile::copy(path + QStringLiteral("-wal"), copy + QStringLiteral("-wal")); // where there is one
        for (const QString& file : {copy, copy + QStringLiteral("-wal")})
            QFile::setPermissions(file, QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        auto opened = openMigrated(copy);
        if (!opened) return false;
        adopt(std::move(*opened));
        return true;
    }

    void adopt(std::unique_ptr<Database> database) {
        m_database = std::move(database);
        m_repositories = std::make_unique<Repositories>(*m_database);
    }

    QString m_folder;
    QTemporaryDir m_copyFolder;
    bool m_isForeign = false;
    std::unique_ptr<QLockFile> m_lock;
    std::unique_ptr<Database> m_database;
    std::unique_ptr<Repositories> m_repositories;
};

Store::Store(const QString& folder, QObject* parent) : QObject(parent), m_worker(new QObject) {
    m_thread.setObjectName(QStringLiteral("store"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start(QThread::LowPriority);
    QMetaObject::invokeMethod(m_worker, [this, folder] {
        m_session = std::make_unique<Session>(folder);
        const QString problem = m_session->open();
        answerLater([this, problem] { opened(problem); });
    });
}

Store::~Store() {
    // In line after all that was given, so that nothing of it is lost.
    QMetaObject::invokeMethod(m_worker, [this] {
        m_session.reset();
        m_thread.quit();
    });
    m_thread.wait();
}

void Store::post(std::function<void(Session&)> job) {
    QMetaObject::invokeMethod(m_worker, [this, job = std::move(job)] { job(*m_session); });
}

void Store::answerLater(std::function<void()> answer) {
    QMetaObject::invokeMethod(this, std::move(answer), Qt::QueuedConnection);
}

void Store::opened(const QString& problem) {
    m_problem = problem;
    m_state = problem.isEmpty() ? State::Saving : State::NotSaving;
    emit stateChanged();
}

void Store::reportFailure(const QString& sentence) {
    answerLater([this, sentence] {
        if (sentence == m_lastFailure) return;
        m_lastFailure = sentence;
        emit failed(sentence);
    });
}

Result<void> Store::begin(Session& session, Durability durability) {
    if (session.database() == nullptr) return Error{tr("There is no database to work with.").toStdString()};
    return session.database()->begin(durability);
}

Result<void> Store::end(Session& session, bool keep) {
    if (keep) return session.database()->commit();
    session.database()->rollback();
    return {};
}

Repositories& Store::repositories(Session& session) {
    return session.repositories();
}

} // namespace steelyard
