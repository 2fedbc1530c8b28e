#include "gui/compare/column_options.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace steelyard {

namespace {

const QString kDot = QStringLiteral(" · ");

struct ColumnWords {
    Q_DECLARE_TR_FUNCTIONS(ColumnWords)
};

QString levelOf(const ColumnOptions& column, const ModelList& models) {
    const ModelEntry* entry = models.find(column.path);
    return entry == nullptr || entry->quantization.isEmpty() ? models.title(column.path) : entry->quantization;
}

QString modelOf(const ColumnOptions& column, const ModelList& models) {
    const ModelEntry* entry = models.find(column.path);
    return entry == nullptr ? QString() : entry->name;
}

template <class Field>
bool differs(const QVector<ColumnOptions>& columns, Field field) {
    return std::any_of(columns.begin(), columns.end(), [&](const ColumnOptions& column) { return field(column) != field(columns.first()); });
}

} // namespace

QJsonObject toJson(const ColumnOptions& options) {
    QJsonObject json{{QStringLiteral("path"), options.path}};
    if (!options.kvType.isEmpty()) json.insert(QStringLiteral("kv"), options.kvType);
    if (options.contextLength > 0) json.insert(QStringLiteral("context"), qint64(options.contextLength));
    if (options.fillerTokens > 0) json.insert(QStringLiteral("filler"), qint64(options.fillerTokens));
    if (options.guesses) json.insert(QStringLiteral("guesses"), true);
    return json;
}

ColumnOptions columnFromJson(const QJsonObject& json) {
    const auto count = [&](const char* key) { return quint32(std::clamp(json.value(QLatin1String(key)).toDouble(), 0.0, 1e9)); };
    ColumnOptions options;
    options.path = json.value(QStringLiteral("path")).toString();
    options.kvType = json.value(QStringLiteral("kv")).toString();
    options.contextLength = count("context");
    options.fillerTokens = count("filler");
    options.guesses = json.value(QStringLiteral("guesses")).toBool();
    return options;
}

QStringList settingsInWords(const ColumnOptions& options) {
    const QLocale locale;
    QStringList parts;
    if (!options.kvType.isEmpty()) parts += ColumnWords::tr("KV %1").arg(options.kvType);
    if (options.contextLength > 0) parts += ColumnWords::tr("context %1").arg(locale.toString(options.contextLength));
    if (options.fillerTokens > 0) parts += ColumnWords::tr("history %1").arg(locale.toString(options.fillerTokens));
    if (options.guesses) parts += ColumnWords::tr("guesses ahead");
    return parts;
}

QStringList columnNames(const QVector<ColumnOptions>& columns, const ModelList& models) {
    if (columns.isEmpty()) return {};
    const bool modelsDiffer = differs(columns, [&](const ColumnOptions& c) { return modelOf(c, models); });
    const bool kv = differs(columns, [](const ColumnOptions& c) { return c.kvType; });
    const bool context = differs(columns, [](const ColumnOptions& c) { return c.contextLength; });
    const bool filler = differs(columns, [](const ColumnOptions& c) { return c.fillerTokens; });
    const bool guesses = differs(columns, [](const ColumnOptions& c) { return c.guesses; });
    QStringList names;
    for (const ColumnOptions& column : columns) {
        ColumnOptions told = column;
        if (!kv) told.kvType.clear();
        if (!context) told.contextLength = 0;
        if (!filler) told.fillerTokens = 0;
        if (!guesses) told.guesses = false;
        const QString name = (QStringList{modelsDiffer ? models.title(column.path) : levelOf(column, models)} + settingsInWords(told)).join(kDot);
        QString unique = name;
        for (int i = 2; names.contains(unique); ++i) unique = QStringLiteral("%1 (%2)").arg(name).arg(i);
        names += unique;
    }
    return names;
}

QString fullColumnName(const ColumnOptions& column, const ModelList& models) {
    return (QStringList{models.title(column.path)} + settingsInWords(column)).join(kDot);
}

ComparisonColumn comparisonColumn(const ColumnOptions& options, const QString& name, const LoadOptions& defaults) {
    LoadOptions load;
    load.path = options.path;
    load.device = defaults.device;
    load.threads = defaults.threads;
    load.kvType = options.kvType.isEmpty() ? defaults.kvType : options.kvType;
    load.contextLength = options.contextLength > 0 ? options.contextLength : defaults.contextLength;
    ComparisonColumn column;
    column.name = name.toStdString();
    column.load = loadRequestOf(load, 0);
    column.load.measuresDevices = false; // speeds stand beside each other, not beside the device's best
    column.load.parallel = 1;
    column.speculation.lookup = options.guesses;
    column.speculation.draft = false;
    column.fillerTokens = options.fillerTokens;
    return column;
}

} // namespace steelyard
