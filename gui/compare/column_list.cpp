#include "gui/compare/column_list.h"

#include "gui/engine_client/engine_words.h"

#include <QLocale>

#include <algorithm>
#include <numeric>
#include <random>

namespace steelyard {

ColumnList::ColumnList(const ModelList* models, QObject* parent) : QAbstractListModel(parent), m_models(models) {
    connect(models, &ModelList::entryChanged, this, [this](const QString& path) {
        if (std::none_of(m_columns.begin(), m_columns.end(), [&](const Column& c) { return c.options.path == path; })) return;
        rename();
        tellAll();
    });
}

int ColumnList::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count(); }

QHash<int, QByteArray> ColumnList::roleNames() const {
    return {{ColumnRole, "column"}, {NameRole, "name"}, {LetterRole, "letter"}, {PathRole, "path"}, {ModelNameRole, "modelName"}, {SettingsRole, "settings"},
            {FactsRole, "facts"}, {WeightsBytesRole, "weightsBytes"}, {KvBytesRole, "kvBytes"}, {ComputeBytesRole, "computeBytes"},
            {MemoryTextRole, "memoryText"}, {ProblemRole, "problem"}, {KvTypeRole, "kvType"}, {ContextLengthRole, "contextLength"},
            {FillerTokensRole, "fillerTokens"}, {GuessesRole, "guesses"}, {AvailableRole, "available"}};
}

QVariant ColumnList::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() < 0 || index.row() >= count()) return {};
    const int column = m_order[index.row()];
    const QString letter(QChar(u'A' + index.row()));
    if (role == ColumnRole) return column;
    if (role == LetterRole) return letter;
    if (role == AvailableRole) return available(column);
    if (!m_hidden) return open(m_columns[column], role);
    switch (role) {
    case Qt::DisplayRole:
    case NameRole: return letter;
    case WeightsBytesRole:
    case KvBytesRole:
    case ComputeBytesRole:
    case ContextLengthRole:
    case FillerTokensRole: return 0;
    case GuessesRole: return false;
    default: return QString();
    }
}

QVariant ColumnList::open(const Column& column, int role) const {
    switch (role) {
    case Qt::DisplayRole:
    case NameRole: return column.name;
    case PathRole: return column.options.path;
    case ModelNameRole: {
        const ModelEntry* entry = m_models->find(column.options.path);
        return entry == nullptr ? m_models->title(column.options.path) : entry->name;
    }
    case SettingsRole: return settingsInWords(column.options).join(QStringLiteral(" · "));
    case FactsRole: {
        const QLocale locale;
        QStringList parts;
        const ModelEntry* entry = m_models->find(column.options.path);
        if (entry != nullptr) parts += bytesInWords(entry->sizeBytes);
        const double bits = column.bitsPerWeight > 0 ? column.bitsPerWeight : entry != nullptr ? entry->bitsPerWeight : 0;
        if (bits > 0) parts += tr("%1 bits a weight").arg(locale.toString(bits, 'f', 2));
        return parts.join(QStringLiteral(" · "));
    }
    case WeightsBytesRole: return column.weightsBytes;
    case KvBytesRole: return column.kvBytes;
    case ComputeBytesRole: return column.computeBytes;
    case MemoryTextRole:
        if (column.weightsBytes == 0) return QString();
        return tr("weights %1 · KV %2").arg(bytesInWords(qint64(column.weightsBytes)), bytesInWords(qint64(column.kvBytes)));
    case ProblemRole: return column.problem;
    case KvTypeRole: return column.options.kvType;
    case ContextLengthRole: return column.options.contextLength;
    case FillerTokensRole: return column.options.fillerTokens;
    case GuessesRole: return column.options.guesses;
    default: return {};
    }
}

QVector<ColumnOptions> ColumnList::options() const {
    QVector<ColumnOptions> all;
    for (const Column& column : m_columns) all.append(column.options);
    return all;
}

QStringList ColumnList::names() const {
    QStringList names;
    for (int row = 0; row < count(); ++row) names += m_hidden ? QString(QChar(u'A' + row)) : m_columns[m_order[row]].name;
    return names;
}

bool ColumnList::available(int column) const {
    const ModelEntry* entry = m_models->find(m_columns[column].options.path);
    return entry != nullptr && entry->problem.isEmpty() && !entry->reading;
}

void ColumnList::set(const QVector<ColumnOptions>& columns) {
    beginResetModel();
    m_columns.clear();
    for (const ColumnOptions& options : columns) m_columns.append(Column{options, {}, {}});
    m_order.resize(columns.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    m_hidden = false;
    endResetModel();
    emit countChanged();
    emit hiddenChanged();
    rename();
}

void ColumnList::append(const ColumnOptions& options) {
    beginInsertRows({}, count(), count());
    m_order.append(count());
    m_columns.append(Column{options, {}, {}});
    endInsertRows();
    emit countChanged();
    rename();
}

void ColumnList::remove(int column) {
    const int row = rowOf(column);
    beginRemoveRows({}, row, row);
    m_order.removeAt(row);
    m_columns.removeAt(column);
    for (int& other : m_order) other -= other > column ? 1 : 0;
    endRemoveRows();
    emit countChanged();
    rename();
    tellAll();
}

void ColumnList::change(int column, const ColumnOptions& options) {
    m_columns[column] = Column{options, {}, {}};
    rename();
    tellAll();
}

void ColumnList::setPlan(const ComparisonPlan& plan) {
    for (int i = 0; i < std::min(count(), int(plan.columns.size())); ++i) {
        const ColumnPlan& planned = plan.columns[size_t(i)];
        Column& column = m_columns[i];
        column.problem = inWords(planned.problem);
        column.bitsPerWeight = planned.facts.bitsPerWeight;
        column.weightsBytes = planned.memory.weightsBytes;
        column.kvBytes = planned.memory.kvBytes;
        column.computeBytes = planned.memory.computeBytes;
        column.contextLength = planned.memory.contextLength;
    }
    tellAll();
}

void ColumnList::setMeasured(int column, const ModelFacts& facts, const MemoryUse& memory) {
    if (column < 0 || column >= count()) return;
    Column& measured = m_columns[column];
    if (facts.bitsPerWeight > 0) measured.bitsPerWeight = facts.bitsPerWeight;
    if (memory.weightsBytes > 0) {
        measured.weightsBytes = memory.weightsBytes;
        measured.kvBytes = memory.kvUsedBytes + memory.kvCachedBytes + memory.kvReservedBytes;
        measured.computeBytes = memory.computeBytes;
    }
    tellAll();
}

void ColumnList::hide(quint32 seed) {
    std::mt19937 random(seed);
    std::shuffle(m_order.begin(), m_order.end(), random);
    m_hidden = true;
    tellAll();
    emit hiddenChanged();
    emit namesChanged();
}

void ColumnList::reveal() {
    if (!m_hidden) return;
    m_hidden = false;
    tellAll();
    emit hiddenChanged();
    emit namesChanged();
}

void ColumnList::retranslate() {
    rename();
    tellAll();
}

void ColumnList::rename() {
    const QStringList names = columnNames(options(), *m_models);
    for (int i = 0; i < count(); ++i) m_columns[i].name = names[i];
    emit namesChanged();
}

void ColumnList::tellAll() {
    if (count() > 0) emit dataChanged(index(0), index(count() - 1));
}

} // namespace steelyard
