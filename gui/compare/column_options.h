// A column as the person chose it: a model and what is set for it. Stored with a comparison as JSON.
//
// Invariant: what is not set (0, empty) is the program's default, so that a stored column means the same wherever it is opened.
// Knows nothing of what a column said or took.
#pragma once

#include "gui/engine_client/comparison_port.h"
#include "gui/engine_client/engine_client.h"
#include "gui/store/model_list.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <QVector>

namespace steelyard {

struct ColumnOptions {
    QString path;
    QString kvType;            // as the engine names it; empty = the program's default
    quint32 contextLength = 0; // tokens; 0 = the program's default
    quint32 fillerTokens = 0;  // of a history put before the prompt
    bool guesses = false;      // looks up what followed the same words before

    bool operator==(const ColumnOptions&) const = default;
};

QJsonObject toJson(const ColumnOptions& options);
ColumnOptions columnFromJson(const QJsonObject& json);

// What is set besides the model, as people write it: "KV q8_0 · 8,192 tokens".
QStringList settingsInWords(const ColumnOptions& options);

// What tells columns apart, none twice: "Q4_K_M", "Q4_K_M · KV q8_0", "Gemma 3 270M · Q4_K_M".
QStringList columnNames(const QVector<ColumnOptions>& columns, const ModelList& models);
// A column's whole name, the same in every comparison: model, level, and what is set.
QString fullColumnName(const ColumnOptions& column, const ModelList& models);

// For the engine; `defaults` fills what is not set.
ComparisonColumn comparisonColumn(const ColumnOptions& options, const QString& name, const LoadOptions& defaults);

} // namespace steelyard
