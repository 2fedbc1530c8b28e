// What the engine says, in the language of the window; and what the store says before that language is known.
//
// The engine knows no languages: its sentences are English, and they are stored and logged as they are. Here they are known by
// their form and translated when they are shown, with numbers and amounts as the language writes them. Invariant: a sentence
// that is not known is shown as it is; names, files and tensors in it stay. Knows nothing of who shows it.
#pragma once

#include <QString>
#include <QStringList>

#include <string>

namespace steelyard {

QString inWords(const QString& sentence);
QString inWords(const std::string& sentence);

// A device's name without what its maker must write: "Intel Xeon Processor".
QString shownDeviceName(const std::string& name);

// The forms of the engine's sentences that are known, with %1 and so on for what is filled in.
QStringList engineSentences();

} // namespace steelyard
