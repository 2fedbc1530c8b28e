// The desk's comparisons: kept in the store, opened again, begun anew.
#include "gui/compare/compare_desk.h"

#include <QJsonArray>

#include <algorithm>
#include <utility>

namespace steelyard {

void CompareDesk::startNew() {
    if (busy()) return;
    keepAndBegin();
    columnsChanged();
}

void CompareDesk::save() {
    if (m_saving) { // the id of a new one is still to come
        m_saveAgain = true;
        return;
    }
    ComparisonRecord record;
    record.id = m_runId;
    if (m_title.isEmpty()) { // nothing was asked, only measured
        m_title = m_columns.names().join(QStringLiteral(", "));
        m_report.setTitle(m_title);
        emit titleChanged();
    }
    record.title = m_title;
    QJsonArray columns;
    for (int i = 0; i < m_columns.count(); ++i) {
        QJsonObject column = toJson(m_columns.optionsOf(i));
        column.insert(QStringLiteral("name"), m_columns.name(i));
        columns.append(column);
    }
    record.content = {{QStringLiteral("columns"), columns}, {QStringLiteral("rounds"), m_rounds.toJson()}, {QStringLiteral("sameText"), m_sameText.toJson()},
                      {QStringLiteral("seed"), double(m_seed)}, {QStringLiteral("temperature"), m_temperature}, {QStringLiteral("limit"), m_limit}};
    record.report = m_report.toJson();
    m_saving = true;
    m_store->run(this, [record](Repositories& r) { return r.comparisons.save(record); }, [this, number = m_runNumber](const Result<qint64>& id) {
        m_saving = false;
        if (!id) emit failed(QString::fromStdString(id.sentence()));
        else if (number == m_runNumber && m_runId != *id) {
            m_runId = *id;
            emit titleChanged();
        }
        m_runs.reload();
        if (std::exchange(m_saveAgain, false) && number == m_runNumber) save();
    });
}

void CompareDesk::open(qint64 runId) {
    if (busy()) return;
    m_store->run(this, [runId](Repositories& r) { return r.comparisons.get(runId); }, [this, number = ++m_runNumber](const Result<ComparisonRecord>& record) {
        if (!record) return emit failed(QString::fromStdString(record.sentence()));
        if (number == m_runNumber && !busy()) adopt(*record);
    });
}

void CompareDesk::adopt(const ComparisonRecord& record) {
    const QJsonObject& content = record.content;
    QVector<ColumnOptions> columns;
    QStringList names;
    for (const QJsonValue& column : content.value(QStringLiteral("columns")).toArray()) {
        columns.append(columnFromJson(column.toObject()));
        names += column.toObject().value(QStringLiteral("name")).toString();
    }
    columns.resize(std::min<qsizetype>(columns.size(), mostColumns()));
    m_rounds.clear();
    m_columns.set(columns);
    m_rounds.fromJson(content.value(QStringLiteral("rounds")).toArray());
    m_sameText.fromJson(content.value(QStringLiteral("sameText")).toObject(), names);
    m_runId = record.id;
    m_title = record.title;
    m_report.setTitle(m_title);
    m_report.fromJson(record.report);
    setSeed(content.value(QStringLiteral("seed")).toDouble(1));
    setTemperature(content.value(QStringLiteral("temperature")).toDouble(0));
    setLimit(content.value(QStringLiteral("limit")).toInt(256));
    setProblem({});
    columnsChanged(true);
    emit titleChanged();
    emit blindChanged();
    emit opened();
}

} // namespace steelyard
