// How models are loaded unless a chat says otherwise; the composition root fills it from the settings.
#pragma once

#include <QString>

namespace steelyard {

struct LoadDefaults {
    QString device = QStringLiteral("auto"); // as the engine names devices
    quint32 contextLength = 0;               // tokens; 0 = the model's own, at most the engine's default
    quint32 threads = 0;                     // 0 = physical cores
    int replyLimit = 0;                      // tokens; 0 = none

    bool operator==(const LoadDefaults&) const = default;
};

} // namespace steelyard
