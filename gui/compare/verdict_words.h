// A report's verdict in the language of the window. The sentences are the engine's parts; the words are made here.
//
// Invariant: a part without one of its figures says only what was measured. Knows nothing of how it is shown.
#pragma once

#include "gui/engine_client/comparison_port.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

namespace steelyard {

class VerdictWords {
    Q_DECLARE_TR_FUNCTIONS(VerdictWords)

public:
    static QString sentence(const VerdictPart& part);
    static QStringList sentences(const ComparisonReport& report); // most important first
    static QString nats(double kl, double error = 0); // "0.06", "0.0012", "0.062 ± 0.004"
    static QString times(double ratio); // "1.6"
    static QString percent(double percent); // "1.4 %"
};

} // namespace steelyard
