// The turns of a comparison: what was asked, and what each column answered.
//
// Invariant: a turn has one answer of every column, in the columns' own order; the role "answers" gives them in the order in which
// columns are shown. Answers live as long as their turn. Knows nothing of models.
#pragma once

#include "gui/compare/column_list.h"
#include "gui/compare/compare_answer.h"

#include <QAbstractListModel>
#include <QJsonArray>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <vector>

namespace steelyard {

class RoundList : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the comparison")
    Q_PROPERTY(int count READ count NOTIFY countChanged)

public:
    enum Role { PromptRole = Qt::UserRole + 1, AnswersRole };

    explicit RoundList(ColumnList* columns, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    int count() const { return int(m_rounds.size()); }
    const QString& prompt(int round) const { return m_rounds[size_t(round)].prompt; }
    CompareAnswer* answer(int round, int column) const;
    CompareAnswer* last(int column) const { return m_rounds.empty() ? nullptr : answer(count() - 1, column); }

    void clear();
    void begin(const QString& prompt);
    void removeLast();
    // Marks where the answers of the last turn part from the first shown one.
    void markLast();
    void markAll();
    void retranslate();

    // What a column is asked next: the turns so far, and the new one.
    std::vector<ChatMessage> messages(int column, const QString& prompt) const;
    std::vector<ChatMessage> messagesUntil(int column, int round) const; // the question of `round` is the last

    QJsonArray toJson() const;
    void fromJson(const QJsonArray& rounds);

signals:
    void countChanged();

private:
    struct Round {
        QString prompt;
        std::vector<std::unique_ptr<CompareAnswer>> answers;
    };

    void mark(const Round& round);
    Round made(const QString& prompt);

    ColumnList* m_columns;
    std::vector<Round> m_rounds;
};

} // namespace steelyard
