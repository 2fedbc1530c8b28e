#include "gui/compare/compare_desk.h"

#include "gui/engine_client/engine_words.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QEvent>
#include <QGuiApplication>
#include <QRandomGenerator>

#include <algorithm>
#include <utility>

namespace steelyard {

namespace {

constexpr int kTitleLength = 80;

QString titleFrom(const QString& prompt) { return prompt.simplified().left(kTitleLength); }

} // namespace

CompareDesk::CompareDesk(const QString& folder, ComparisonClient* client, EngineClient* engine, Store* store, ModelList* models, QObject* parent)
    : QObject(parent), m_client(client), m_engine(engine), m_store(store), m_models(models), m_columns(models), m_rounds(&m_columns), m_runs(store),
      m_votes(store), m_report(folder + QStringLiteral("/measurements"), client, store, models), m_maker(folder + QStringLiteral("/models"), client, models) {
    m_planTimer.setSingleShot(true);
    m_planTimer.setInterval(200);
    wire();
    QCoreApplication::instance()->installEventFilter(this);
}

CompareDesk::~CompareDesk() { m_client->cancel(); }

void CompareDesk::wire() {
    connect(&m_planTimer, &QTimer::timeout, this, &CompareDesk::planNow);
    connect(m_client, &ComparisonClient::busyChanged, this, [this] {
        emit busyChanged();
        emit canRunChanged();
        if (!busy()) addMade();
    });
    connect(m_client, &ComparisonClient::loadedChanged, this, [this] {
        emit loadedChanged();
        m_planTimer.start();
    });
    connect(m_engine, &EngineClient::modelStateChanged, this, [this] { m_planTimer.start(); });
    connect(m_client, &ComparisonClient::columnLoading, this, [this](int column, double fraction) {
        if (m_answering && m_rounds.last(column)) m_rounds.last(column)->load(fraction);
    });
    connect(m_client, &ComparisonClient::columnLoaded, this, [this](int column, const ModelFacts&) {
        if (m_answering && m_rounds.last(column)) m_rounds.last(column)->read(0, 0);
    });
    connect(m_client, &ComparisonClient::promptProgressed, this, [this](int column, const PromptProgress& p) {
        if (m_answering && m_rounds.last(column)) m_rounds.last(column)->read(int(p.readTokens), int(p.promptTokens - p.reusedTokens));
    });
    connect(m_client, &ComparisonClient::textArrived, this, [this](int column, const QString& text, int) {
        if (m_answering && m_rounds.last(column)) m_rounds.last(column)->append(text);
    });
    connect(m_client, &ComparisonClient::columnAnswered, this, &CompareDesk::takeAnswer);
    connect(m_client, &ComparisonClient::answersFinished, this, &CompareDesk::endAnswers);
    connect(m_client, &ComparisonClient::sameTextFinished, this, &CompareDesk::endSameText);
    connect(&m_report, &ReportDesk::kept, this, &CompareDesk::save);
    connect(&m_report, &ReportDesk::failed, this, &CompareDesk::failed);
    connect(&m_report, &ReportDesk::measuringChanged, this, &CompareDesk::canRunChanged);
    connect(&m_runs, &RunList::failed, this, &CompareDesk::failed);
    connect(&m_votes, &VoteList::failed, this, &CompareDesk::failed);
    connect(&m_maker, &LevelMaker::failed, this, &CompareDesk::failed);
    connect(&m_columns, &ColumnList::countChanged, this, &CompareDesk::canRunChanged);
    connect(&m_runs, &RunList::renamed, this, [this](qint64 id, const QString& title) {
        if (id != m_runId) return;
        m_title = title;
        m_report.setTitle(title);
        emit titleChanged();
    });
    connect(&m_runs, &RunList::removed, this, [this](qint64 id) {
        if (id == m_runId) startNew();
    });
    connect(&m_maker, &LevelMaker::made, this, [this](const QString& path) { m_madePaths += path; });
    connect(&m_maker, &LevelMaker::makingChanged, this, &CompareDesk::addMade);
    connect(m_models, &ModelList::entryChanged, this, [this](const QString& path) {
        emit canRunChanged();
        emit modelsChanged();
        if (m_madePaths.contains(path)) addMade();
    });
}

bool CompareDesk::canRun() const {
    if (busy() || m_columns.count() == 0) return false;
    for (int i = 0; i < m_columns.count(); ++i)
        if (!m_columns.available(i)) return false;
    return true;
}

// --- Columns.

std::vector<ComparisonColumn> CompareDesk::engineColumns() const {
    std::vector<ComparisonColumn> columns;
    for (int i = 0; i < m_columns.count(); ++i) columns.push_back(comparisonColumn(m_columns.optionsOf(i), m_columns.name(i), m_defaults));
    return columns;
}

void CompareDesk::columnsChanged(bool keepsReport) {
    QVector<QString> paths;
    for (const ColumnOptions& column : m_columns.options()) paths += column.path;
    m_report.setColumns(paths, engineColumns(), keepsReport);
    m_plan.reset();
    emit planChanged();
    emit canRunChanged();
    m_planTimer.start();
}

void CompareDesk::keepAndBegin() {
    if (m_rounds.count() == 0 && m_runId == 0) return;
    ++m_runNumber;
    m_runId = 0;
    m_title.clear();
    m_rounds.clear();
    m_sameText.clear();
    m_report.clear();
    m_report.setTitle({});
    m_columns.reveal();
    setProblem({});
    emit titleChanged();
    emit blindChanged();
}

QVariantMap CompareDesk::columnOptions(int column) const {
    if (column < 0 || column >= m_columns.count()) return {};
    const ColumnOptions& options = m_columns.optionsOf(column);
    return {{QStringLiteral("path"), options.path}, {QStringLiteral("kvType"), options.kvType}, {QStringLiteral("contextLength"), options.contextLength},
            {QStringLiteral("fillerTokens"), options.fillerTokens}, {QStringLiteral("guesses"), options.guesses}};
}

QStringList CompareDesk::columnPaths() const {
    QStringList paths;
    for (const ColumnOptions& column : m_columns.options()) paths += column.path;
    return paths;
}

void CompareDesk::addColumn(const QString& path) {
    if (m_columns.count() >= mostColumns() || busy()) return;
    keepAndBegin();
    ColumnOptions options;
    options.path = path;
    m_columns.append(options);
    columnsChanged();
}

void CompareDesk::setModels(const QStringList& paths) {
    if (busy()) return;
    QVector<ColumnOptions> columns;
    QStringList added = paths;
    for (const ColumnOptions& column : m_columns.options())
        if (paths.contains(column.path)) {
            columns.append(column);
            added.removeAll(column.path);
        }
    for (const QString& path : added) columns.append(ColumnOptions{path, {}, 0, 0, false});
    columns.resize(std::min<qsizetype>(columns.size(), mostColumns()));
    if (columns == m_columns.options()) return;
    keepAndBegin();
    m_columns.set(columns);
    columnsChanged();
}

void CompareDesk::removeColumn(int column) {
    if (busy() || column < 0 || column >= m_columns.count()) return;
    keepAndBegin();
    m_columns.remove(column);
    columnsChanged();
}

void CompareDesk::copyColumn(int column) {
    if (busy() || column < 0 || column >= m_columns.count() || m_columns.count() >= mostColumns()) return;
    keepAndBegin();
    m_columns.append(m_columns.optionsOf(column));
    columnsChanged();
}

void CompareDesk::changeColumn(int column, const QString& path, const QString& kvType, int contextLength, int fillerTokens, bool guesses) {
    if (busy() || column < 0 || column >= m_columns.count()) return;
    const ColumnOptions options{path, kvType, quint32(std::max(0, contextLength)), quint32(std::max(0, fillerTokens)), guesses};
    if (options == m_columns.optionsOf(column)) return;
    keepAndBegin();
    m_columns.change(column, options);
    columnsChanged();
}

void CompareDesk::setLoadDefaults(const LoadOptions& defaults) {
    if (defaults == m_defaults) return;
    m_defaults = defaults;
    if (m_columns.count() > 0) columnsChanged(true);
}

// Levels that were made become columns, in their order, as soon as the library knows them all.
void CompareDesk::addMade() {
    if (m_maker.making() || busy()) return;
    const auto isKnown = [this](const QString& path) {
        const ModelEntry* entry = m_models->find(path);
        return entry != nullptr && !entry->reading;
    };
    if (!std::all_of(m_madePaths.cbegin(), m_madePaths.cend(), isKnown)) return;
    for (const QString& path : std::exchange(m_madePaths, {}))
        if (m_models->find(path)->problem.isEmpty() && !columnPaths().contains(path)) addColumn(path);
}

QVariantList CompareDesk::modelChoices() const {
    QVariantList choices;
    for (const ModelEntry& entry : m_models->entries())
        if (entry.problem.isEmpty() && !entry.reading)
            choices += QVariantMap{{QStringLiteral("path"), entry.path}, {QStringLiteral("text"), m_models->title(entry.path)}, {QStringLiteral("note"), bytesInWords(entry.sizeBytes)}};
    return choices;
}

// --- The plan.

void CompareDesk::planNow() {
    if (m_columns.count() == 0) return;
    m_client->plan(engineColumns(), this, [this, number = ++m_planNumber](const ComparisonPlan& plan) {
        if (number != m_planNumber) return;
        m_plan = plan;
        m_columns.setPlan(plan);
        m_report.setPlan(plan);
        emit planChanged();
    });
}

QString CompareDesk::plan() const {
    if (!m_plan || m_columns.count() == 0) return {};
    const QString room = m_plan->freeBytes ? QStringLiteral(" ") + tr("%1 is free.").arg(bytesInWords(qint64(*m_plan->freeBytes))) : QString();
    switch (m_plan->order) {
    case ComparisonPlan::Order::Together:
        if (m_columns.count() == 1) return tr("Takes %1.").arg(bytesInWords(qint64(m_plan->togetherBytes))) + room;
        return tr("All fit into memory together: %1.").arg(bytesInWords(qint64(m_plan->togetherBytes))) + room;
    case ComparisonPlan::Order::OneAfterTheOther:
        return tr("Together they would take %1, so they run one after the other: the largest takes %2.")
                   .arg(bytesInWords(qint64(m_plan->togetherBytes)), bytesInWords(qint64(m_plan->largestBytes))) + room;
    case ComparisonPlan::Order::Nothing: return tr("None of the columns can be loaded.");
    }
    return {};
}

QString CompareDesk::chatModel() const {
    const bool isLoaded = m_engine->modelState() == EngineClient::ModelState::Ready || m_engine->modelState() == EngineClient::ModelState::Loading;
    if (!isLoaded || !m_plan || m_plan->order == ComparisonPlan::Order::Together) return {};
    return m_models->title(m_engine->modelPath());
}

void CompareDesk::unloadChatModel() { m_engine->unload(); }

// --- Answers.

Prompt CompareDesk::promptOf(int column, std::vector<ChatMessage> messages) const {
    Prompt prompt;
    const ModelEntry* entry = m_models->find(m_columns.optionsOf(column).path);
    if (entry == nullptr || entry->hasChatTemplate) {
        prompt.kind = Prompt::Kind::Messages;
        prompt.messages = std::move(messages);
        return prompt;
    }
    prompt.kind = Prompt::Kind::Text; // a base model continues the text
    for (const ChatMessage& message : messages) prompt.text += (prompt.text.empty() ? "" : "\n\n") + message.content;
    return prompt;
}

void CompareDesk::run(const QString& prompt) {
    if (!canRun() || prompt.trimmed().isEmpty()) return;
    AnswerRequest request;
    for (int i = 0; i < m_columns.count(); ++i) request.prompts.push_back(promptOf(i, m_rounds.messages(i, prompt)));
    request.sampling.seed = m_seed;
    request.sampling.temperature = float(m_temperature);
    request.maxTokens = m_limit;
    if (m_blind) m_columns.hide(QRandomGenerator::global()->generate());
    m_rounds.begin(prompt);
    m_sameText.clear();
    setProblem({});
    if (m_title.isEmpty()) m_title = titleFrom(prompt);
    m_report.setTitle(m_title);
    m_request = request;
    m_answers.assign(size_t(m_columns.count()), {});
    m_answering = m_client->answer(engineColumns(), std::move(request));
    emit titleChanged();
    emit busyChanged();
    emit blindChanged();
}

void CompareDesk::takeAnswer(int column, const ColumnAnswer& answer) {
    if (!m_answering || column < 0 || column >= int(m_answers.size())) return;
    m_answers[size_t(column)] = answer;
    if (CompareAnswer* shown = m_rounds.last(column)) shown->finish(answer);
    m_columns.setMeasured(column, answer.facts, answer.memory);
}

void CompareDesk::endAnswers(const QString& problem) {
    if (!m_answering) return;
    m_answering = false;
    bool any = false;
    for (int i = 0; i < m_columns.count(); ++i) {
        CompareAnswer* answer = m_rounds.last(i);
        any = any || answer->isOver() || !answer->text().isEmpty();
        answer->stop({});
    }
    if (!any) m_rounds.removeLast(); // stopped before a word was said
    else m_rounds.markLast();
    setProblem(problem);
    if (any) {
        m_report.takeAnswers(m_request, m_answers);
        save();
    }
    emit busyChanged();
    emit blindChanged();
}

void CompareDesk::forceSameText(int answerOf, int reference) {
    const CompareAnswer* answer = m_rounds.last(answerOf);
    if (answer == nullptr || answer->text().isEmpty() || reference < 0 || reference >= m_columns.count() || !canRun()) return;
    SameTextRequest request;
    for (int i = 0; i < m_columns.count(); ++i) request.prompts.push_back(promptOf(i, m_rounds.messagesUntil(answerOf, m_rounds.count() - 1)));
    request.answer = answer->text().toStdString();
    request.answerIds = answer->ids();
    request.idsColumn = size_t(answerOf);
    request.reference = size_t(reference);
    setProblem({});
    m_forcing = m_client->sameText(engineColumns(), std::move(request));
}

void CompareDesk::endSameText(const SameText& sameText, const QString& problem) {
    if (!m_forcing) return;
    m_forcing = false;
    setProblem(problem);
    if (sameText.columns.empty()) return;
    QStringList names;
    for (int i = 0; i < m_columns.count(); ++i) names += m_columns.name(i);
    m_sameText.set(sameText, names);
    m_report.takeSameText(sameText);
    save();
}

void CompareDesk::setSeed(double seed) {
    const quint64 wanted = quint64(std::clamp(seed, 0.0, 9e15));
    if (wanted == m_seed) return;
    m_seed = wanted;
    emit samplingChanged();
}

void CompareDesk::setTemperature(double temperature) {
    const double wanted = std::clamp(temperature, 0.0, 5.0);
    if (wanted == m_temperature) return;
    m_temperature = wanted;
    emit samplingChanged();
}

void CompareDesk::setLimit(int tokens) {
    const int wanted = std::clamp(tokens, 1, 65536);
    if (wanted == m_limit) return;
    m_limit = wanted;
    emit samplingChanged();
}

// --- Blind.

void CompareDesk::setBlind(bool blind) {
    if (blind == m_blind) return;
    m_blind = blind;
    if (!blind) m_columns.reveal();
    emit blindChanged();
}

bool CompareDesk::votable() const { return m_columns.hidden() && !busy() && m_rounds.count() > 0 && m_columns.count() > 1; }

void CompareDesk::vote(int row) {
    if (!votable() || row < -1 || row >= m_columns.count()) return;
    QStringList names;
    for (int i = 0; i < m_columns.count(); ++i) names += m_columns.fullName(i);
    const int winner = row < 0 ? -1 : m_columns.column(row);
    m_votes.cast(m_runId, names, winner);
    m_columns.reveal();
    emit blindChanged();
    emit voted(winner < 0 ? tr("Counted: no difference.") : tr("Counted for %1.").arg(m_columns.name(winner)));
}

void CompareDesk::copy(const QString& text) { QGuiApplication::clipboard()->setText(text); }

void CompareDesk::setProblem(const QString& sentence) {
    if (sentence == m_problem) return;
    m_problem = sentence;
    emit problemChanged();
}

QString CompareDesk::problem() const { return inWords(m_problem); }

bool CompareDesk::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::LanguageChange && object == QCoreApplication::instance()) retranslate();
    return QObject::eventFilter(object, event);
}

void CompareDesk::retranslate() {
    m_columns.retranslate();
    m_rounds.retranslate();
    m_runs.retranslate();
    m_votes.retranslate();
    m_sameText.retranslate();
    m_report.retranslate();
    m_maker.retranslate();
    emit planChanged();
    emit problemChanged();
}

} // namespace steelyard
