#include "gui/compare/round_list.h"

#include <QQmlEngine>

namespace steelyard {

RoundList::RoundList(ColumnList* columns, QObject* parent) : QAbstractListModel(parent), m_columns(columns) {
    connect(columns, &ColumnList::hiddenChanged, this, [this] {
        if (count() > 0) emit dataChanged(index(0), index(count() - 1), {AnswersRole}); // they stand in another order
    });
}

int RoundList::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count(); }

QHash<int, QByteArray> RoundList::roleNames() const { return {{PromptRole, "prompt"}, {AnswersRole, "answers"}}; }

QVariant RoundList::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() < 0 || index.row() >= count()) return {};
    const Round& round = m_rounds[size_t(index.row())];
    if (role == PromptRole || role == Qt::DisplayRole) return round.prompt;
    if (role != AnswersRole) return {};
    QVariantList answers;
    for (int row = 0; row < int(round.answers.size()); ++row) answers += QVariant::fromValue(round.answers[size_t(m_columns->column(row))].get());
    return answers;
}

CompareAnswer* RoundList::answer(int round, int column) const {
    const auto& answers = m_rounds[size_t(round)].answers;
    return column >= 0 && column < int(answers.size()) ? answers[size_t(column)].get() : nullptr;
}

void RoundList::clear() {
    if (m_rounds.empty()) return;
    beginResetModel();
    m_rounds.clear();
    endResetModel();
    emit countChanged();
}

RoundList::Round RoundList::made(const QString& prompt) {
    Round round{prompt, {}};
    for (int column = 0; column < m_columns->count(); ++column) {
        round.answers.push_back(std::make_unique<CompareAnswer>());
        QQmlEngine::setObjectOwnership(round.answers.back().get(), QQmlEngine::CppOwnership);
    }
    return round;
}

void RoundList::begin(const QString& prompt) {
    beginInsertRows({}, count(), count());
    m_rounds.push_back(made(prompt));
    endInsertRows();
    emit countChanged();
}

void RoundList::removeLast() {
    if (m_rounds.empty()) return;
    beginRemoveRows({}, count() - 1, count() - 1);
    m_rounds.pop_back();
    endRemoveRows();
    emit countChanged();
}

void RoundList::markLast() {
    if (!m_rounds.empty()) mark(m_rounds.back());
}

void RoundList::markAll() {
    for (const Round& round : m_rounds) mark(round);
}

void RoundList::mark(const Round& round) {
    CompareAnswer* reference = nullptr;
    std::vector<CompareAnswer*> others;
    for (int row = 0; row < int(round.answers.size()); ++row) {
        CompareAnswer* answer = round.answers[size_t(m_columns->column(row))].get();
        if (answer->state() != CompareAnswer::Done || answer->text().isEmpty()) continue;
        if (reference == nullptr) reference = answer;
        else others.push_back(answer);
    }
    for (CompareAnswer* other : others) {
        const AnswerDifferences differences = answerDifferences(reference->text().toStdString(), other->text().toStdString());
        other->mark(differences.other, differences, false);
        // Of two, each shows its own words; of more, the first stays bare: its words differ for each of the others.
        reference->mark(others.size() == 1 ? differences.reference : std::vector<AnswerPiece>(), differences, true);
    }
}

void RoundList::retranslate() {
    for (const Round& round : m_rounds)
        for (const auto& answer : round.answers) answer->retranslate();
}

std::vector<ChatMessage> RoundList::messagesUntil(int column, int last) const {
    std::vector<ChatMessage> messages;
    for (int round = 0; round <= last; ++round) {
        const CompareAnswer* said = answer(round, column);
        if (round < last && (said == nullptr || said->text().isEmpty())) continue; // a question without an answer is asked no more
        messages.push_back({"user", prompt(round).toStdString(), {}});
        if (round < last) messages.push_back({"assistant", said->text().toStdString(), {}});
    }
    return messages;
}

std::vector<ChatMessage> RoundList::messages(int column, const QString& prompt) const {
    std::vector<ChatMessage> messages;
    if (count() > 0) {
        messages = messagesUntil(column, count() - 1);
        const CompareAnswer* said = answer(count() - 1, column);
        if (said == nullptr || said->text().isEmpty()) messages.pop_back();
        else messages.push_back({"assistant", said->text().toStdString(), {}});
    }
    messages.push_back({"user", prompt.toStdString(), {}});
    return messages;
}

QJsonArray RoundList::toJson() const {
    QJsonArray rounds;
    for (const Round& round : m_rounds) {
        QJsonArray answers;
        for (const auto& answer : round.answers) answers.append(answer->toJson());
        rounds.append(QJsonObject{{QStringLiteral("prompt"), round.prompt}, {QStringLiteral("answers"), answers}});
    }
    return rounds;
}

void RoundList::fromJson(const QJsonArray& rounds) {
    beginResetModel();
    m_rounds.clear();
    for (const QJsonValue& value : rounds) {
        Round round = made(value.toObject().value(QStringLiteral("prompt")).toString());
        const QJsonArray answers = value.toObject().value(QStringLiteral("answers")).toArray();
        for (int i = 0; i < int(round.answers.size()) && i < answers.size(); ++i) round.answers[size_t(i)]->fromJson(answers[i].toObject());
        m_rounds.push_back(std::move(round));
    }
    endResetModel();
    emit countChanged();
    markAll();
}

} // namespace steelyard
