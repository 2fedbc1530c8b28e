// One window per data folder: a second start hands its files to the first and ends.
//
// Invariant: at most one process holds the lock of a data folder; a lock left by a process that died is taken over. Where
// the folder cannot be written, the local socket alone decides. Knows nothing of windows: it says that one was asked for.
#pragma once

#include <QLocalServer>
#include <QLockFile>
#include <QObject>
#include <QStringList>

#include <memory>

namespace steelyard {

class SingleInstance : public QObject {
    Q_OBJECT

public:
    explicit SingleInstance(const QString& dataFolder, QObject* parent = nullptr);

    // True when this process is the first. Else the first was asked to come forward with `files`, and this one should end.
    bool claim(const QStringList& files);

signals:
    void raiseRequested(const QStringList& files);

private:
    bool askFirst(const QStringList& files);
    void listen();
    void answer();

    QString m_name;
    std::unique_ptr<QLockFile> m_lock;
    QLocalServer m_server;
};

} // namespace steelyard
