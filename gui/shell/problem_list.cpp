#include "gui/shell/problem_list.h"

namespace steelyard {

void ProblemList::set(const Problem& problem) {
    const qsizetype row = find(problem.key);
    const bool wanted = !problem.text.isEmpty() && m_dismissed.value(problem.key) != problem.text;
    if (row >= 0 && !wanted) {
        beginRemoveRows({}, int(row), int(row));
        m_problems.removeAt(row);
        endRemoveRows();
    } else if (row >= 0) {
        m_problems[row] = problem;
        emit dataChanged(index(int(row)), index(int(row)));
    } else if (wanted) {
        beginInsertRows({}, int(m_problems.size()), int(m_problems.size()));
        m_problems << problem;
        endInsertRows();
    }
}

void ProblemList::dismiss(const QString& key) {
    const qsizetype row = find(key);
    if (row < 0) return;
    const QString text = m_problems[row].text;
    m_dismissed.insert(key, text);
    beginRemoveRows({}, int(row), int(row));
    m_problems.removeAt(row);
    endRemoveRows();
    emit dismissed(key, text);
}

int ProblemList::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_problems.size()); }

QVariant ProblemList::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_problems.size()) return {};
    const Problem& problem = m_problems[index.row()];
    switch (role) {
    case KeyRole: return problem.key;
    case ToneRole: return problem.tone;
    case TextRole: return problem.text;
    case ActionRole: return problem.action;
    default: return {};
    }
}

QHash<int, QByteArray> ProblemList::roleNames() const {
    return {{KeyRole, "key"}, {ToneRole, "tone"}, {TextRole, "text"}, {ActionRole, "action"}};
}

qsizetype ProblemList::find(const QString& key) const {
    for (qsizetype row = 0; row < m_problems.size(); ++row)
        if (m_problems[row].key == key) return row;
    return -1;
}

} // namespace steelyard
