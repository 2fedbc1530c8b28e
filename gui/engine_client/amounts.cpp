#include "gui/engine_client/amounts.h"

#include <QCoreApplication>
#include <QLocale>

namespace steelyard {

QString decimalInWords(double value) { return QLocale().toString(value, 'f', value < 100 ? 1 : 0); }

QString durationInWords(double ms) {
    const QLocale locale;
    if (ms < 10) return QCoreApplication::translate("Amounts", "%1 ms").arg(locale.toString(ms, 'f', 1));
    if (ms < 1000) return QCoreApplication::translate("Amounts", "%1 ms").arg(locale.toString(qRound64(ms)));
    if (ms < 10000) return QCoreApplication::translate("Amounts", "%1 s").arg(locale.toString(ms / 1000, 'f', 1));
    const qint64 seconds = qRound64(ms / 1000);
    if (seconds < 60) return QCoreApplication::translate("Amounts", "%1 s").arg(locale.toString(seconds));
    return QCoreApplication::translate("Amounts", "%1 min %2 s").arg(locale.toString(seconds / 60), locale.toString(seconds % 60));
}

} // namespace steelyard
