#include "gui/shell/single_instance.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QDir>
#include <QLocalSocket>

namespace steelyard {

namespace {

constexpr int kPatienceMs = 1000; // for a first process that is busy starting
constexpr qint64 kLongestMessage = 1 << 20;

} // namespace

SingleInstance::SingleInstance(const QString& dataFolder, QObject* parent) : QObject(parent) {
    const QByteArray place = QDir::cleanPath(dataFolder).toUtf8();
    m_name = QStringLiteral("steelyard-") + QString::fromLatin1(QCryptographicHash::hash(place, QCryptographicHash::Sha1).toHex().left(16));
    QDir().mkpath(dataFolder);
    m_lock = std::make_unique<QLockFile>(dataFolder + QStringLiteral("/steelyard.lock"));
    m_lock->setStaleLockTime(0); // only a dead owner makes a lock stale, however long the window is open
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &SingleInstance::answer);
}

bool SingleInstance::claim(const QStringList& files) {
    const bool locked = m_lock->tryLock();
    const bool foreign = !locked && m_lock->error() == QLockFile::LockFailedError;
    if ((foreign || !locked) && askFirst(files)) return false;
    // Held by someone who does not answer (hung, or another computer on a shared folder): the store says what that means.
    listen();
    return true;
}

bool SingleInstance::askFirst(const QStringList& files) {
    QLocalSocket socket;
    socket.connectToServer(m_name);
    if (!socket.waitForConnected(kPatienceMs)) return false;
    QByteArray message;
    QDataStream stream(&message, QIODevice::WriteOnly);
    stream << files;
    socket.write(message);
    if (!socket.waitForBytesWritten(kPatienceMs)) return false;
    return socket.waitForReadyRead(kPatienceMs) || socket.bytesAvailable() > 0;
}

void SingleInstance::listen() {
    if (m_server.listen(m_name)) return;
    // A socket that nobody listens to any more is what a killed process leaves behind.
    QLocalServer::removeServer(m_name);
    m_server.listen(m_name);
}

void SingleInstance::answer() {
    while (QLocalSocket* socket = m_server.nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
            if (socket->bytesAvailable() > kLongestMessage) return socket->abort();
            QDataStream stream(socket);
            QStringList files;
            stream.startTransaction();
            stream >> files;
            if (!stream.commitTransaction()) return;
            socket->write("+");
            socket->flush();
            emit raiseRequested(files);
        });
    }
}

} // namespace steelyard
