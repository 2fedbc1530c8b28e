// Amounts of the engine as people read them, in the language of the program: how long, how fast, how many.
//
// Knows nothing of what is measured.
#pragma once

#include <QString>

namespace steelyard {

QString durationInWords(double ms);   // "142 ms", "1.3 s", "2 min 5 s"
QString decimalInWords(double value); // "38.2", "412"

} // namespace steelyard
