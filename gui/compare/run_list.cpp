#include "gui/compare/run_list.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>

namespace steelyard {

RunList::RunList(Store* store, QObject* parent) : QAbstractListModel(parent), m_store(store) { reload(); }

int RunList::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count(); }

QHash<int, QByteArray> RunList::roleNames() const {
    return {{RunIdRole, "runId"}, {TitleRole, "title"}, {HasReportRole, "hasReport"}, {TimeRole, "time"}};
}

QVariant RunList::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() < 0 || index.row() >= count()) return {};
    const ComparisonTitle& run = m_runs[index.row()];
    switch (role) {
    case RunIdRole: return run.id;
    case Qt::DisplayRole:
    case TitleRole: return run.title.isEmpty() ? tr("Comparison") : run.title;
    case HasReportRole: return run.hasReport;
    case TimeRole: return QLocale().toString(QDateTime::fromMSecsSinceEpoch(run.updatedAtMs), QLocale::ShortFormat);
    default: return {};
    }
}

QString RunList::title(qint64 id) const {
    const auto run = std::find_if(m_runs.begin(), m_runs.end(), [id](const ComparisonTitle& r) { return r.id == id; });
    return run == m_runs.end() || run->title.isEmpty() ? tr("Comparison") : run->title;
}

void RunList::reload() {
    m_store->run(this, [](Repositories& r) { return r.comparisons.list(); }, [this](const Result<QVector<ComparisonTitle>>& runs) {
        if (!runs) return emit failed(QString::fromStdString(runs.sentence()));
        beginResetModel();
        m_runs = *runs;
        endResetModel();
        emit countChanged();
    });
}

template <class Work>
void RunList::change(Work work) {
    m_store->run(this, work, [this](const Result<void>& done) {
        if (!done) emit failed(QString::fromStdString(done.sentence()));
        reload();
    });
}

void RunList::rename(qint64 id, const QString& title) {
    const QString wanted = title.trimmed();
    if (wanted.isEmpty()) return;
    change([id, wanted](Repositories& r) { return r.comparisons.rename(id, wanted); });
    emit renamed(id, wanted);
}

void RunList::remove(qint64 id) {
    const QString name = title(id);
    change([id](Repositories& r) { return r.comparisons.remove(id); });
    emit removed(id, name);
}

void RunList::undoRemove(qint64 id) {
    change([id](Repositories& r) { return r.comparisons.restore(id); });
}

void RunList::retranslate() {
    if (count() > 0) emit dataChanged(index(0), index(count() - 1));
}

} // namespace steelyard
