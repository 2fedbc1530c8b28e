// The command-line client run as a script runs it. Knows nothing of what is right.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace steelyard {

using Json = nlohmann::ordered_json;

struct Outcome {
    int status = -1;
    QByteArray output, messages;

    Json json() const { return Json::parse(output.toStdString(), nullptr, false); }
};

inline Outcome run(const QStringList& arguments, const QByteArray& input = {}) {
    QProcess process;
    process.start(STEELYARD_CLI, arguments);
    process.write(input);
    process.closeWriteChannel();
    Outcome outcome;
    if (!process.waitForFinished(-1) || process.exitStatus() != QProcess::NormalExit) return outcome;
    outcome.status = process.exitCode();
    outcome.output = process.readAllStandardOutput();
    outcome.messages = process.readAllStandardError();
    return outcome;
}

// stdout holds one JSON object, one line end, and nothing else.
inline bool isPureJson(const QByteArray& output) {
    return output.startsWith('{') && output.endsWith("}\n") && output.count('\n') == 1 &&
           !Json::parse(output.toStdString(), nullptr, false).is_discarded();
}

// A test of commands, with files of its own that go with it.
class CliTest : public QObject {
protected:
    QString file(const QString& name, const QByteArray& bytes) {
        const QString path = m_folder.filePath(name);
        QFile target(path);
        if (!target.open(QIODevice::WriteOnly) || target.write(bytes) != bytes.size())
            qFatal("cannot write %s", qPrintable(path));
        return path;
    }
    QTemporaryDir m_folder;
};

} // namespace steelyard
