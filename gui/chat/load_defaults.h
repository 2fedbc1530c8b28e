// How models are loaded and replies made unless a chat says otherwise; the composition root fills it from the settings.
#pragma once

#include <QString>

namespace steelyard {

struct LoadDefaults {
    QString device = QStringLiteral("auto"); // as the engine names devices
    quint32 contextLength = 0;               // tokens; 0 = the model's own, at most the engine's default
    quint32 threads = 0;                     // 0 = physical cores
    int replyLimit = 0;                      // tokens; 0 = none
    bool guessAhead = true;                  // of models without a choice of their own
    bool readAhead = true;                   // while the person pauses typing
    double slowStreamMs = 100;               // a median between tokens above it is slow to stream
    QString kvType = QStringLiteral("f16");  // of the KV cache, as the engine names it

    bool operator==(const LoadDefaults&) const = default;
};

} // namespace steelyard
