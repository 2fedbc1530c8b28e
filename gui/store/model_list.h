// The models that the person can choose, as one list for the library page and the model chooser.
//
// Invariant: a path stands once; entries are sorted by name, then by size; usable ones have no problem. The library fills it, others
// read it. Knows nothing of how files are found or read.
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <QVector>

namespace steelyard {

struct ModelEntry {
    QString path;
    QString name;             // from the file's header, else its base name
    QString fileName;
    QString folder;
    qint64 sizeBytes = 0;
    QString architecture, quantization;
    qint64 trainedContext = 0; // tokens
    qint64 parameters = 0;
    double bitsPerWeight = 0;
    bool hasChatTemplate = true;
    bool reading = false;      // its header is still to be read
    bool starter = false;      // the small test model that comes with the program
    bool own = false;          // lies in the program's own folder
    QString problem;           // why it cannot be used, or empty
    int fit = 0;               // ModelList::Fit
    QString fitText;           // the prediction in words

    bool operator==(const ModelEntry&) const = default;
};

class ModelList : public QAbstractListModel {
    Q_OBJECT
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(int usableCount READ usableCount NOTIFY countChanged)

public:
    enum Fit { FitUnknown = 0, Fits = 1, Tight = 2, WillNotFit = 3 }; // as FitTag.qml counts
    Q_ENUM(Fit)
    enum Role {
        PathRole = Qt::UserRole + 1, NameRole, FileNameRole, FolderRole, SizeBytesRole, SizeTextRole, ArchitectureRole,
        QuantizationRole, TrainedContextRole, ParametersRole, ParametersTextRole, BitsPerWeightRole, HasChatTemplateRole, ReadingRole,
        StarterRole, OwnRole, ProblemRole, UsableRole, FitRole, FitTextRole
    };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override; // "path", "name", "fileName", ... as the fields, and "usable"

    int count() const { return int(m_entries.size()); }
    int usableCount() const;
    const QVector<ModelEntry>& entries() const { return m_entries; }
    const ModelEntry* find(const QString& path) const;
    Q_INVOKABLE bool contains(const QString& path) const { return find(path) != nullptr; }
    // "Gemma 3 270M · Q4_K_M", or the file's base name when it is not in the list.
    Q_INVOKABLE QString title(const QString& path) const;
    // The starter, else the first usable one; empty when there is none.
    Q_INVOKABLE QString firstUsable() const;

    // Adds the entry or replaces the one of its path.
    void put(const ModelEntry& entry);
    void remove(const QString& path);

signals:
    void countChanged();
    void entryChanged(const QString& path); // added, removed or changed

private:
    qsizetype placeFor(const ModelEntry& entry) const;

    QVector<ModelEntry> m_entries;
};

// "1.6 GB", in the language of the program, powers of 1000 as drives and hubs count.
QString bytesInWords(qint64 bytes);

} // namespace steelyard
