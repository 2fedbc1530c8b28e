// The columns of a comparison as the page shows them: what each is, what it takes, why it cannot be used.
//
// Invariant: rows stand in the order in which they are shown; column(row) and rowOf(column) lead to the columns' own order, which is
// the engine's. While names are hidden a row tells nothing but its letter. Knows nothing of answers.
#pragma once

#include "gui/compare/column_options.h"

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include <optional>

namespace steelyard {

class ColumnList : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the comparison")
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(bool hidden READ hidden NOTIFY hiddenChanged)
    Q_PROPERTY(QStringList names READ names NOTIFY namesChanged) // in the order shown; letters while hidden

public:
    enum Role {
        ColumnRole = Qt::UserRole + 1, NameRole, LetterRole, PathRole, ModelNameRole, SettingsRole, FactsRole, WeightsBytesRole, KvBytesRole,
        ComputeBytesRole, MemoryTextRole, ProblemRole, KvTypeRole, ContextLengthRole, FillerTokensRole, GuessesRole, AvailableRole
    };

    explicit ColumnList(const ModelList* models, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    int count() const { return int(m_columns.size()); }
    QVector<ColumnOptions> options() const;
    const ColumnOptions& optionsOf(int column) const { return m_columns[column].options; }
    int column(int row) const { return m_order[row]; }
    int rowOf(int column) const { return int(m_order.indexOf(column)); }
    QString name(int column) const { return m_columns[column].name; }
    QStringList names() const;
    QString fullName(int column) const { return fullColumnName(m_columns[column].options, *m_models); }
    bool available(int column) const; // its file is in the library

    void set(const QVector<ColumnOptions>& columns);
    void append(const ColumnOptions& options);
    void remove(int column);
    void change(int column, const ColumnOptions& options);
    // Of the plan, by column; a measured value replaces it.
    void setPlan(const ComparisonPlan& plan);
    void setMeasured(int column, const ModelFacts& facts, const MemoryUse& memory);

    bool hidden() const { return m_hidden; }
    // Names are hidden, and the columns stand in another order, drawn anew.
    void hide(quint32 seed);
    void reveal();
    void retranslate();

signals:
    void countChanged();
    void hiddenChanged();
    void namesChanged();

private:
    struct Column {
        ColumnOptions options;
        QString name, problem;
        double bitsPerWeight = 0;
        quint64 weightsBytes = 0, kvBytes = 0, computeBytes = 0;
        quint32 contextLength = 0; // as planned or loaded
    };

    QVariant open(const Column& column, int role) const;
    void rename();
    void tellAll();

    const ModelList* m_models;
    QVector<Column> m_columns;
    QVector<int> m_order; // column of each row
    bool m_hidden = false;
};

} // namespace steelyard
