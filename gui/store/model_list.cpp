#include "gui/store/model_list.h"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>

namespace steelyard {

namespace {

bool isBefore(const ModelEntry& a, const ModelEntry& b) {
    if (const int names = a.name.compare(b.name, Qt::CaseInsensitive); names != 0) return names < 0;
    if (a.sizeBytes != b.sizeBytes) return a.sizeBytes < b.sizeBytes;
    return a.path < b.path;
}

// "270M", "1.7B": as models are named.
QString parametersInWords(qint64 parameters) {
    if (parameters <= 0) return {};
    const QLocale locale;
    if (parameters < 1'000'000'000) return locale.toString(double(parameters) / 1e6, 'f', 0) + QStringLiteral("M");
    const double billions = double(parameters) / 1e9;
    return locale.toString(billions, 'f', billions < 20 ? 1 : 0) + QStringLiteral("B");
}

} // namespace

QString bytesInWords(qint64 bytes) {
    if (bytes < 1000) return ModelList::tr("%Ln byte(s)", nullptr, int(bytes));
    return QLocale().formattedDataSize(bytes, bytes < 10'000'000'000 && bytes >= 1'000'000'000 ? 2 : bytes < 1'000'000 ? 0 : 1,
                                       QLocale::DataSizeSIFormat);
}

int ModelList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_entries.size());
}

QHash<int, QByteArray> ModelList::roleNames() const {
    return {{PathRole, "path"}, {NameRole, "name"}, {FileNameRole, "fileName"}, {FolderRole, "folder"}, {SizeBytesRole, "sizeBytes"},
            {SizeTextRole, "sizeText"}, {ArchitectureRole, "architecture"}, {QuantizationRole, "quantization"},
            {TrainedContextRole, "trainedContext"}, {ParametersRole, "parameters"}, {ParametersTextRole, "parametersText"},
            {BitsPerWeightRole, "bitsPerWeight"}, {HasChatTemplateRole, "hasChatTemplate"}, {ReadingRole, "reading"}, {StarterRole, "starter"},
            {OwnRole, "own"}, {ProblemRole, "problem"}, {UsableRole, "usable"}, {FitRole, "fit"}, {FitTextRole, "fitText"}};
}

QVariant ModelList::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() < 0 || index.row() >= count()) return {};
    const ModelEntry& entry = m_entries.at(index.row());
    switch (role) {
    case Qt::DisplayRole: return title(entry.path);
    case PathRole: return entry.path;
    case NameRole: return entry.name;
    case FileNameRole: return entry.fileName;
    case FolderRole: return entry.folder;
    case SizeBytesRole: return entry.sizeBytes;
    case SizeTextRole: return bytesInWords(entry.sizeBytes);
    case ArchitectureRole: return entry.architecture;
    case QuantizationRole: return entry.quantization;
    case TrainedContextRole: return entry.trainedContext;
    case ParametersRole: return entry.parameters;
    case ParametersTextRole: return parametersInWords(entry.parameters);
    case BitsPerWeightRole: return entry.bitsPerWeight;
    case HasChatTemplateRole: return entry.hasChatTemplate;
    case ReadingRole: return entry.reading;
    case StarterRole: return entry.starter;
    case OwnRole: return entry.own;
    case ProblemRole: return entry.problem;
    case UsableRole: return entry.problem.isEmpty() && !entry.reading;
    case FitRole: return entry.fit;
    case FitTextRole: return entry.fitText;
    default: return {};
    }
}

int ModelList::usableCount() const {
    return int(std::count_if(m_entries.begin(), m_entries.end(), [](const ModelEntry& e) { return e.problem.isEmpty() && !e.reading; }));
}

const ModelEntry* ModelList::find(const QString& path) const {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const ModelEntry& e) { return e.path == path; });
    return found == m_entries.end() ? nullptr : &*found;
}

QString ModelList::title(const QString& path) const {
    if (path.isEmpty()) return {};
    const ModelEntry* entry = find(path);
    if (entry == nullptr) return QFileInfo(path).completeBaseName();
    return entry->quantization.isEmpty() ? entry->name : QStringLiteral("%1 · %2").arg(entry->name, entry->quantization);
}

QString ModelList::firstUsable() const {
    QString first;
    for (const ModelEntry& entry : m_entries) {
        if (!entry.problem.isEmpty() || entry.reading) continue;
        if (entry.starter) return entry.path;
        if (first.isEmpty()) first = entry.path;
    }
    return first;
}

qsizetype ModelList::placeFor(const ModelEntry& entry) const {
    return std::lower_bound(m_entries.begin(), m_entries.end(), entry, isBefore) - m_entries.begin();
}

void ModelList::put(const ModelEntry& entry) {
    const ModelEntry* old = find(entry.path);
    if (old != nullptr && *old == entry) return;
    if (old != nullptr && !isBefore(*old, entry) && !isBefore(entry, *old)) {
        const int row = int(old - m_entries.constData());
        m_entries[row] = entry;
        emit dataChanged(index(row), index(row));
    } else {
        if (old != nullptr) {
            const int row = int(old - m_entries.constData());
            beginRemoveRows({}, row, row);
            m_entries.removeAt(row);
            endRemoveRows();
        }
        const int row = int(placeFor(entry));
        beginInsertRows({}, row, row);
        m_entries.insert(row, entry);
        endInsertRows();
    }
    emit countChanged();
    emit entryChanged(entry.path);
}

void ModelList::remove(const QString& path) {
    const ModelEntry* entry = find(path);
    if (entry == nullptr) return;
    const int row = int(entry - m_entries.constData());
    beginRemoveRows({}, row, row);
    m_entries.removeAt(row);
    endRemoveRows();
    emit countChanged();
    emit entryChanged(path);
}

} // namespace steelyard
