#include "gui/compare/report_desk.h"

#include "gui/compare/report_picture.h"
#include "gui/compare/report_tables.h"
#include "gui/compare/verdict_words.h"
#include "gui/engine_client/amounts.h"
#include "gui/engine_client/engine_client.h"
#include "gui/engine_client/engine_words.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>

namespace steelyard {

ReportDesk::ReportDesk(const QString& folder, ComparisonClient* client, Store* store, const ModelList* models, QObject* parent)
    : QObject(parent), m_folder(folder), m_client(client), m_models(models), m_text(store) {
    m_planTimer.setSingleShot(true);
    m_planTimer.setInterval(300);
    connect(&m_planTimer, &QTimer::timeout, this, &ReportDesk::planNow);
    connect(&m_text, &MeasureText::changed, this, &ReportDesk::planLater);
    connect(models, &ModelList::countChanged, this, &ReportDesk::choicesChanged);
    connect(client, &ComparisonClient::busyChanged, this, &ReportDesk::planChanged);
    connect(client, &ComparisonClient::measureProgressed, this, [this](const MeasureProgress& progress) {
        m_progress = progress;
        emit progressed();
    });
    connect(client, &ComparisonClient::speedProgressed, this, [this](int column) {
        m_measuringSpeed = true;
        m_speedColumn = column;
        emit progressed();
    });
    connect(client, &ComparisonClient::measured, this, &ReportDesk::finish);
}

// --- What will be measured.

QVector<ReportDesk::OtherReference> ReportDesk::otherReferences() const {
    QVector<OtherReference> others;
    const ModelEntry* first = m_paths.isEmpty() ? nullptr : m_models->find(m_paths.first());
    if (first == nullptr) return others;
    for (const ModelEntry& entry : m_models->entries())
        if (entry.name == first->name && entry.problem.isEmpty() && !entry.reading && !m_paths.contains(entry.path))
            others.append({entry.path, m_models->title(entry.path), entry.bitsPerWeight});
    return others;
}

QVariantList ReportDesk::references() const {
    QVariantList choices;
    const auto choice = [](const QString& text, double bits) {
        return QVariantMap{{QStringLiteral("text"), text}, {QStringLiteral("note"), bits > 0 ? tr("%1 bits per weight").arg(QLocale().toString(bits, 'f', 2)) : QString()}};
    };
    for (size_t i = 0; i < m_columns.size(); ++i) {
        const ModelEntry* entry = m_models->find(m_paths[int(i)]);
        choices += choice(QString::fromStdString(m_columns[i].name), entry == nullptr ? 0 : entry->bitsPerWeight);
    }
    for (const OtherReference& other : otherReferences()) choices += choice(tr("%1 (not compared)").arg(other.title), other.bitsPerWeight);
    return choices;
}

int ReportDesk::reference() const {
    if (m_chosenReference >= 0 && m_chosenReference < int(m_columns.size()) + int(otherReferences().size())) return m_chosenReference;
    int best = m_columns.empty() ? -1 : 0;
    double most = -1;
    for (int i = 0; i < m_paths.size(); ++i) {
        const ModelEntry* entry = m_models->find(m_paths[i]);
        if (entry == nullptr || entry->bitsPerWeight <= most) continue;
        most = entry->bitsPerWeight;
        best = i;
    }
    return best;
}

void ReportDesk::chooseReference(int index) {
    if (index == reference()) return;
    m_chosenReference = index;
    emit choicesChanged();
    planLater();
}

void ReportDesk::setWindow(int tokens) {
    if (tokens == m_window || tokens < 16) return;
    m_window = tokens;
    emit choicesChanged();
    planLater();
}

void ReportDesk::setSpeedToo(bool measured) {
    if (measured == m_speedToo) return;
    m_speedToo = measured;
    emit choicesChanged();
}

MeasureRequest ReportDesk::request() const {
    MeasureRequest request;
    request.text = m_text.value().toStdString();
    request.context = uint32_t(m_window);
    request.mostBytes = 500'000'000;
    request.folder = EngineClient::toPath(m_folder);
    const int chosen = reference();
    if (chosen >= 0 && chosen < int(m_columns.size())) request.reference = size_t(chosen);
    else if (const auto others = otherReferences(); chosen >= 0 && chosen - int(m_columns.size()) < others.size()) {
        ComparisonColumn other = m_columns.front();
        const OtherReference& named = others[chosen - int(m_columns.size())];
        other.load.path = EngineClient::toPath(named.path);
        other.name = named.title.toStdString();
        request.otherReference = other;
    }
    return request;
}

void ReportDesk::setWanted(bool wanted) {
    if (wanted == m_wanted) return;
    m_wanted = wanted;
    emit wantedChanged();
    planLater();
}

void ReportDesk::planLater() {
    m_plan.reset();
    m_planProblem.clear();
    ++m_planNumber; // an answer that is still under way is of something else
    emit planChanged();
    if (m_wanted && !m_columns.empty() && !m_measuring) m_planTimer.start();
}

void ReportDesk::planNow() {
    if (m_columns.empty() || m_measuring) return;
    if (m_text.value().trimmed().isEmpty() || !m_text.problem().isEmpty()) return emit planChanged();
    m_client->planMeasurement(m_columns, request(), this, [this, number = ++m_planNumber](const Result<MeasurePlan>& plan) {
        if (number != m_planNumber) return;
        m_planProblem = QString::fromStdString(plan.sentence());
        m_plan.reset();
        if (plan) {
            m_plan = *plan;
            const bool none = std::none_of(plan->problems.begin(), plan->problems.end(), [](const std::string& p) { return p.empty(); });
            if (none && !plan->problems.empty()) m_planProblem = QString::fromStdString(plan->problems.front());
        }
        emit planChanged();
    });
}

QString ReportDesk::plan() const {
    if (!m_plan) return {};
    return tr("%1 in %2, of which %3 are scored. What the reference says takes at most %4 on the disk.")
        .arg(tr("%Ln token(s)", nullptr, int(m_plan->textTokens)), tr("%Ln window(s)", nullptr, int(m_plan->windows)),
             QLocale().toString(qulonglong(m_plan->scoredTokens)), bytesInWords(qint64(m_plan->mostBytes)));
}

QString ReportDesk::planProblem() const {
    if (!m_text.problem().isEmpty()) return m_text.problem();
    return inWords(m_planProblem);
}

bool ReportDesk::goesOn() const {
    if (!m_plan) return false;
    const auto begun = [this](size_t done) { return done > 0 && done < m_plan->windows; };
    return begun(m_plan->referenceWindowsDone) || std::any_of(m_plan->columnWindowsDone.begin(), m_plan->columnWindowsDone.end(), begun);
}

// --- Measuring.

void ReportDesk::measure() {
    if (!canMeasure()) return;
    begin();
    m_progress = {};
    m_measuring = m_client->measure(m_columns, request(), m_speedToo ? std::optional<SpeedRequest>(m_speedRequest) : std::nullopt);
    m_measuringSpeed = false;
    m_problem.clear();
    emit measuringChanged();
    emit progressed();
    emit reportChanged();
}

QString ReportDesk::progress() const {
    if (!m_measuring) return {};
    if (m_measuringSpeed) {
        const QString name = m_speedColumn < int(m_columns.size()) ? QString::fromStdString(m_columns[size_t(m_speedColumn)].name) : QString();
        return tr("Measuring the speed of %1").arg(name);
    }
    const bool isColumn = m_progress.column < m_columns.size();
    const QString name = isColumn ? QString::fromStdString(m_columns[m_progress.column].name) : tr("the reference");
    QString text;
    switch (m_progress.stage) {
    case MeasureProgress::Stage::Loading: text = tr("Loading %1").arg(name); break;
    case MeasureProgress::Stage::Reference: text = tr("The reference reads window %1 of %2").arg(m_progress.windows).arg(m_progress.allWindows); break;
    case MeasureProgress::Stage::Column: text = tr("%1 reads window %2 of %3").arg(name).arg(m_progress.windows).arg(m_progress.allWindows); break;
    }
    if (m_progress.secondsLeft) text += QStringLiteral(" · ") + tr("about %1 left").arg(durationInWords(1000 * *m_progress.secondsLeft));
    return text;
}

void ReportDesk::finish(const Measurement& measurement, const std::vector<ColumnSpeed>& speeds, const QString& problem) {
    if (!m_measuring) return;
    m_measuring = m_measuringSpeed = false;
    m_problem = problem;
    if (!measurement.columns.empty()) addMeasurement(m_report, measurement, m_text.name().toStdString());
    if (!speeds.empty()) addSpeeds(m_report, speeds);
    emit measuringChanged();
    emit reportChanged();
    if (!measurement.columns.empty()) emit kept();
    planLater(); // what is left to do is another now
}

// --- The report.

void ReportDesk::begin() {
    if (!m_report.columns.empty()) return;
    m_report = reportOf(m_columns, m_columnsPlan);
    m_report.created = QDateTime::currentDateTime().toString(Qt::ISODate).toStdString();
}

void ReportDesk::setColumns(const QVector<QString>& paths, std::vector<ComparisonColumn> columns, bool keeps) {
    m_paths = paths;
    m_columns = std::move(columns);
    m_chosenReference = -1;
    if (!keeps) {
        m_report = {};
        m_problem.clear();
        emit reportChanged();
    }
    emit choicesChanged();
    planLater();
}

void ReportDesk::takeAnswers(const AnswerRequest& request, const std::vector<ColumnAnswer>& answers) {
    begin();
    addAnswers(m_report, request, answers);
    emit reportChanged();
}

void ReportDesk::takeSameText(const SameText& sameText) {
    begin();
    addSameText(m_report, sameText);
    emit reportChanged();
}

void ReportDesk::clear() {
    m_report = {};
    m_problem.clear();
    emit reportChanged();
}

QString ReportDesk::toJson() const {
    if (!hasReport()) return {};
    ComparisonReport report = m_report;
    report.title = m_title.toStdString();
    return QString::fromStdString(jsonOf(report));
}

void ReportDesk::fromJson(const QString& json) {
    m_report = {};
    m_problem.clear();
    if (!json.isEmpty()) {
        auto report = reportFromJson(json.toStdString());
        if (report) m_report = std::move(*report);
        else m_problem = QString::fromStdString(report.sentence());
    }
    emit reportChanged();
}

void ReportDesk::retranslate() {
    emit choicesChanged();
    emit planChanged();
    emit progressed();
    emit reportChanged();
    m_text.retranslate();
}

QStringList ReportDesk::names() const {
    QStringList names;
    for (const ReportColumn& column : m_report.columns) names += QString::fromStdString(column.name);
    return names;
}

QVariantList ReportDesk::rows() const {
    QVariantList rows;
    if (!hasReport()) return rows;
    for (const ReportRow& row : ReportTables::rows(m_report))
        rows += QVariantMap{{QStringLiteral("label"), row.label}, {QStringLiteral("tip"), row.tip}, {QStringLiteral("values"), row.values},
                            {QStringLiteral("notes"), row.notes}, {QStringLiteral("heads"), row.heads}};
    return rows;
}

QStringList ReportDesk::verdict() const { return hasReport() ? VerdictWords::sentences(m_report) : QStringList(); }

QString ReportDesk::basis() const { return ReportTables::basis(m_report); }

QString ReportDesk::problem() const { return inWords(m_problem); }

QVariantList ReportDesk::points(bool quality) const {
    QVariantList points;
    if (!hasReport()) return points;
    for (const PlotPoint& point : quality ? qualityAgainstSize(m_report) : speedAgainstSize(m_report))
        points += QVariantMap{{QStringLiteral("x"), point.x}, {QStringLiteral("y"), point.y}, {QStringLiteral("yError"), point.yError},
                              {QStringLiteral("label"), QString::fromStdString(m_report.columns[point.column].name)},
                              {QStringLiteral("column"), int(point.column)}};
    return points;
}

QVariantList ReportDesk::bars() const {
    QVariantList bars;
    for (const ReportBar& bar : ReportTables::bars(m_report))
        bars += QVariantMap{{QStringLiteral("name"), bar.name}, {QStringLiteral("weightsBytes"), bar.weightsBytes}, {QStringLiteral("kvBytes"), bar.kvBytes},
                            {QStringLiteral("computeBytes"), bar.computeBytes}};
    return bars;
}

// --- Files.

QString ReportDesk::suggestedName() const {
    QString name = m_title.isEmpty() ? QStringLiteral("steelyard-report") : m_title;
    for (QChar& c : name)
        if (!c.isLetterOrNumber() && c != u'-' && c != u'_') c = u' ';
    return name.simplified().left(60);
}

void ReportDesk::exportTo(const QUrl& url, bool dark) {
    const QString path = url.toLocalFile();
    if (!hasReport() || path.isEmpty()) return;
    ComparisonReport report = m_report;
    report.title = m_title.toStdString();
    const QString suffix = QFileInfo(path).suffix().toLower();
    const bool isPicture = suffix == QLatin1String("png") || suffix == QLatin1String("svg");
    const Result<void> written = isPicture ? writeReportPicture(report, path, dark) : writeReport(report, EngineClient::toPath(path));
    if (written) emit exported(path);
    else emit failed(inWords(written.sentence()));
}

} // namespace steelyard
