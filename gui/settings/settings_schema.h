// Every setting of the program, one row each: key, kind, default, range, level, section and words.
//
// Invariant: a key stands once and never changes its meaning; a value that is not stored is the default. The page, the search,
// the checks and the reset are all made from these rows. Knows nothing of the store, of QML, or of what a setting does.
#pragma once

#include <QString>
#include <QVariant>

#include <span>

namespace steelyard {

struct SettingSpec {
    enum class Kind { Choice, Integer, Switch, Folders, Device, Text, Number, Space }; // space: gigabytes that something may take
    enum class Level { Basic, Full, Hidden }; // hidden: remembered, never shown
    struct Choice {
        const char* value;
        const char* words; // through tr(); as they are when they name a language
    };

    const char* key;
    Kind kind;
    Level level;
    const char* section;    // the three texts go through tr()
    const char* title;
    const char* help;
    QVariant standard;      // the default
    double minimum = 0, maximum = 0, step = 0; // of numbers
    const char* unit = "";
    std::span<const Choice> choices = {};
    const char* zeroMeans = ""; // what 0 stands for, where it is no number
};

std::span<const SettingSpec> settingsSchema();
const SettingSpec* findSetting(const QString& key);

// The value as the setting keeps it (a number inside its range, a known choice), or nothing when it is of another kind.
QVariant acceptedValue(const SettingSpec& spec, const QVariant& value);

// The text of the schema in the program's language.
QString settingText(const char* text);

} // namespace steelyard
