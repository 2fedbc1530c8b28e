// The program's log: one file of lines with a time, kept short.
//
// Invariant: writing from any thread is safe and never fails aloud; without a writable place lines go nowhere. The file of the
// start before is kept beside it. Knows nothing of what is logged; no text of chats is ever passed here.
#pragma once

#include "engine/core/log.h"

#include <QFile>
#include <QMutex>
#include <QString>

namespace steelyard {

// ~/.local/state/steelyard, or `log` inside STEELYARD_DATA_DIR where that is set.
QString logFolder();

class LogFile {
public:
    explicit LogFile(const QString& folder);

    void write(LogLevel level, std::string_view text);
    // Must not outlive this object.
    LogSink sink();

private:
    QMutex m_mutex;
    QFile m_file;
};

} // namespace steelyard
