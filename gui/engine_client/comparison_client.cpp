#include "gui/engine_client/comparison_client.h"

#include "gui/engine_client/engine_client.h"

#include <QPointer>

#include <utility>

namespace steelyard {

namespace {

constexpr int kFrameMs = 16;

QString problemOf(const std::string& sentence) { return QString::fromStdString(sentence); }

} // namespace

ComparisonClient::ComparisonClient(const ComparisonFactory& factory, QObject* parent) : QObject(parent), m_port(factory()) {
    for (QThreadPool* pool : {&m_plans, &m_calls, &m_maker}) pool->setMaxThreadCount(1);
    m_drainTimer.setSingleShot(true);
    m_drainTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_drainTimer, &QTimer::timeout, this, &ComparisonClient::drain);
}

ComparisonClient::~ComparisonClient() {
    m_cancelled = m_makingCancelled = true;
    for (QThreadPool* pool : {&m_plans, &m_calls, &m_maker}) pool->waitForDone();
}

// --- From the threads to signals.

void ComparisonClient::post(Event event) {
    std::lock_guard lock(m_mutex);
    closeText();
    m_events.push_back(std::move(event));
    wake();
}

void ComparisonClient::postText(int column, const TextDelta& delta) {
    std::lock_guard lock(m_mutex);
    if (m_textColumn != column) closeText();
    m_textColumn = column;
    m_text += delta.text;
    m_textTokens += int(delta.ids.size());
    wake();
}

void ComparisonClient::closeText() {
    if (m_textColumn < 0) return;
    m_events.push_back([this, column = m_textColumn, text = QString::fromStdString(m_text), tokens = m_textTokens] { emit textArrived(column, text, tokens); });
    m_textColumn = -1;
    m_textTokens = 0;
    m_text.clear();
}

void ComparisonClient::wake() {
    if (m_wakePending) return;
    m_wakePending = true;
    const auto schedule = [this] {
        const qint64 since = m_sinceDrain.isValid() ? m_sinceDrain.elapsed() : kFrameMs;
        if (since >= kFrameMs) drain();
        else m_drainTimer.start(int(kFrameMs - since));
    };
    QMetaObject::invokeMethod(this, schedule, Qt::QueuedConnection);
}

void ComparisonClient::drain() {
    std::vector<Event> events;
    {
        std::lock_guard lock(m_mutex);
        closeText();
        events.swap(m_events);
        m_wakePending = false;
    }
    m_sinceDrain.start();
    for (const Event& event : events) event();
}

ComparisonCallbacks ComparisonClient::callbacks() {
    ComparisonCallbacks calls;
    calls.loading = [this](size_t column, float fraction) { post([this, column, fraction] { emit columnLoading(int(column), double(fraction)); }); };
    calls.loaded = [this](size_t column, const ModelFacts& facts) { post([this, column, facts] { emit columnLoaded(int(column), facts); }); };
    calls.promptProgressed = [this](size_t column, const PromptProgress& progress) {
        post([this, column, progress] { emit promptProgressed(int(column), progress); });
    };
    calls.textArrived = [this](size_t column, const TextDelta& delta) { postText(int(column), delta); };
    calls.answered = [this](size_t column, const ColumnAnswer& answer) { post([this, column, answer] { emit columnAnswered(int(column), answer); }); };
    calls.forced = [this](size_t column, const ForcedColumn& forced) { post([this, column, forced] { emit columnForced(int(column), forced); }); };
    return calls;
}

// --- Plans.

template <class T>
void ComparisonClient::runPlan(QObject* context, std::function<T()> work, std::function<void(T)> done) {
    m_plans.start([this, guard = QPointer<QObject>(context), work = std::move(work), done = std::move(done)] {
        auto result = std::make_shared<T>(work());
        post([guard, done, result] {
            if (guard) done(std::move(*result));
        });
    });
}

void ComparisonClient::plan(std::vector<ComparisonColumn> columns, QObject* context, std::function<void(ComparisonPlan)> done) {
    runPlan<ComparisonPlan>(context, [this, columns = std::move(columns)] { return m_port->plan(columns); }, std::move(done));
}

void ComparisonClient::planMeasurement(std::vector<ComparisonColumn> columns, MeasureRequest request, QObject* context,
                                       std::function<void(Result<MeasurePlan>)> done) {
    runPlan<Result<MeasurePlan>>(
        context, [this, columns = std::move(columns), request = std::move(request)] { return m_port->planMeasurement(columns, request); }, std::move(done));
}

void ComparisonClient::levelsOf(const QString& path, QObject* context, std::function<void(Result<std::vector<QuantizedSize>>)> done) {
    runPlan<Result<std::vector<QuantizedSize>>>(context, [this, file = EngineClient::toPath(path)] { return m_port->quantizedSizes(file); }, std::move(done));
}

// --- Calls on columns.

bool ComparisonClient::start(std::vector<ComparisonColumn> columns, std::function<Event()> work) {
    if (m_busy) return false;
    m_busy = true;
    m_cancelled = false;
    setLoaded(true);
    m_calls.start([this, columns = std::move(columns), work = std::move(work)] {
        m_port->setColumns(columns);
        post([this, last = work()] {
            m_busy = false;
            emit busyChanged();
            last();
        });
    });
    emit busyChanged();
    return true;
}

bool ComparisonClient::answer(std::vector<ComparisonColumn> columns, AnswerRequest request) {
    return start(std::move(columns), [this, request = std::move(request)]() -> Event {
        const auto answers = m_port->answer(request, callbacks(), m_cancelled);
        return [this, problem = problemOf(answers.sentence())] { emit answersFinished(problem); };
    });
}

bool ComparisonClient::sameText(std::vector<ComparisonColumn> columns, SameTextRequest request) {
    return start(std::move(columns), [this, request = std::move(request)]() -> Event {
        auto forced = m_port->sameText(request, callbacks(), m_cancelled);
        return [this, problem = problemOf(forced.sentence()), same = forced ? *forced : SameText()] { emit sameTextFinished(same, problem); };
    });
}

bool ComparisonClient::measure(std::vector<ComparisonColumn> columns, MeasureRequest request, std::optional<SpeedRequest> speed) {
    return start(std::move(columns), [this, request = std::move(request), speed]() -> Event {
        const auto told = [this](const MeasureProgress& progress) { post([this, progress] { emit measureProgressed(progress); }); };
        auto measurement = m_port->measure(request, told, m_cancelled);
        std::vector<ColumnSpeed> speeds;
        std::string problem = measurement.sentence();
        if (measurement && speed && !m_cancelled) {
            ComparisonCallbacks calls;
            calls.loading = [this](size_t column, float) { post([this, column] { emit speedProgressed(int(column)); }); };
            calls.loaded = [this](size_t column, const ModelFacts&) { post([this, column] { emit speedProgressed(int(column)); }); };
            auto measuredSpeeds = m_port->measureSpeed(*speed, calls, m_cancelled);
            if (measuredSpeeds) speeds = std::move(*measuredSpeeds);
            else problem = measuredSpeeds.sentence();
        }
        return [this, result = measurement ? *measurement : Measurement(), speeds, problem = problemOf(problem)] { emit measured(result, speeds, problem); };
    });
}

void ComparisonClient::cancel() {
    m_cancelled = true;
}

void ComparisonClient::unload() {
    if (!m_loaded) return;
    m_calls.start([this] { m_port->unload(); });
    setLoaded(false);
}

void ComparisonClient::setLoaded(bool loaded) {
    if (loaded == m_loaded) return;
    m_loaded = loaded;
    emit loadedChanged();
}

// --- Making a level.

bool ComparisonClient::make(QuantizeRequest request) {
    if (m_making) return false;
    m_making = true;
    m_makingCancelled = false;
    m_maker.start([this, request = std::move(request)] {
        const auto told = [this](float fraction) { post([this, fraction] { emit makingProgressed(double(fraction)); }); };
        auto result = m_port->quantize(request, told, m_makingCancelled);
        post([this, problem = problemOf(result.sentence()), done = result ? *result : QuantizeResult()] {
            m_making = false;
            emit makingChanged();
            emit made(done, problem);
        });
    });
    emit makingChanged();
    return true;
}

void ComparisonClient::cancelMaking() {
    m_makingCancelled = true;
}

} // namespace steelyard
