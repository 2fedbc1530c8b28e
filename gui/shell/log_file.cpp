#include "gui/shell/log_file.h"

#include <QDateTime>
#include <QDir>
#include <QMutexLocker>
#include <QStandardPaths>

namespace steelyard {

namespace {

constexpr qint64 kLargestBytes = 4 << 20;

} // namespace

QString logFolder() {
    const QString own = qEnvironmentVariable("STEELYARD_DATA_DIR");
    if (!own.isEmpty()) return own + QStringLiteral("/log");
    const QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (!state.isEmpty()) return state + QStringLiteral("/steelyard");
#ifdef Q_OS_LINUX
    return QDir::homePath() + QStringLiteral("/.local/state/steelyard");
#else
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/log");
#endif
}

LogFile::LogFile(const QString& folder) {
    QDir().mkpath(folder);
    const QString path = folder + QStringLiteral("/steelyard.log");
    const QString older = folder + QStringLiteral("/steelyard.before.log");
    QFile::remove(older);
    QFile::rename(path, older);
    m_file.setFileName(path);
    m_file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Text);
}

void LogFile::write(LogLevel level, std::string_view text) {
    static constexpr const char* kWords[] = {"debug", "info", "warning", "error"};
    const QMutexLocker lock(&m_mutex);
    if (!m_file.isOpen() || m_file.size() > kLargestBytes) return;
    m_file.write(QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toUtf8() + ' ' + kWords[int(level)] + ": " +
                 QByteArray(text.data(), qsizetype(text.size())).replace('\n', "\n    ") + '\n');
    m_file.flush();
}

LogSink LogFile::sink() {
    return [this](LogLevel level, std::string_view text) { write(level, text); };
}

} // namespace steelyard
