#include "gui/engine_client/engine_client.h"

#include "engine/cache/cache_layout.h"

#include <QPointer>

#include <utility>

namespace steelyard {
namespace {

constexpr int kFrameMs = 16;
constexpr int kSnapshotMs = 250;
constexpr int kJobThreads = 2;

} // namespace

EngineClient::EngineClient(const EngineFactory& factory, QObject* parent)
    : QObject(parent), m_snapshot(std::make_shared<const Snapshot>()) {
    m_jobs.setMaxThreadCount(kJobThreads);
    m_jobs.setThreadPriority(QThread::LowPriority);
    m_drainTimer.setSingleShot(true);
    m_drainTimer.setTimerType(Qt::PreciseTimer);
    m_retryTimer.setSingleShot(true);
    m_retryTimer.setInterval(kFrameMs);
    m_snapshotTimer.setInterval(kSnapshotMs);
    connect(&m_drainTimer, &QTimer::timeout, this, &EngineClient::drain);
    connect(&m_retryTimer, &QTimer::timeout, this, &EngineClient::flushCommands);
    connect(&m_snapshotTimer, &QTimer::timeout, this, &EngineClient::refreshSnapshot);
    m_sinceDrain.start();
    m_engine = factory([this] { wakeFromEngine(); });
    refreshSnapshot();
    m_snapshotTimer.start();
}

EngineClient::~EngineClient() {
    m_jobs.clear();
    m_jobs.waitForDone();
    m_engine.reset(); // joins the engine's thread: no wake comes after this
}

// --- The model

void EngineClient::load(const LoadOptions& options) {
    if (options == m_options && (m_state == ModelState::Loading || m_state == ModelState::Ready)) return;
    leaveModel();
    m_model = ++m_lastModel;
    m_options = options;
    m_loadFraction = 0;
    m_failure.clear();
    send([request = loadRequestOf(options, m_model)](EnginePort& engine) { return engine.load(request); });
    setState(ModelState::Loading);
    emit loadFractionChanged();
}

void EngineClient::cancelLoad() {
    if (m_state != ModelState::Loading) return;
    send([model = m_model](EnginePort& engine) { return engine.cancelLoad(model); });
}

void EngineClient::unload() {
    if (m_state == ModelState::None) return;
    leaveModel();
    m_model = 0;
    m_options = {};
    m_failure.clear();
    setState(ModelState::None);
}

void EngineClient::leaveModel() {
    if (m_state == ModelState::Loading) {
        send([model = m_model](EnginePort& engine) { return engine.cancelLoad(model); });
        send([model = m_model](EnginePort& engine) { return engine.unload(model); }); // when the load had just finished
    } else if (m_state == ModelState::Ready) {
        send([model = m_model](EnginePort& engine) { return engine.unload(model); });
    }
    m_facts.reset();
}

void EngineClient::setState(ModelState state) {
    m_state = state;
    emit modelStateChanged();
}

LoadRequest loadRequestOf(const LoadOptions& options, ModelId model) {
    LoadRequest request;
    request.model = model;
    request.path = EngineClient::toPath(options.path);
    request.device = options.device.toStdString();
    request.contextLength = options.contextLength;
    request.threads = options.threads;
    if (!options.draft.isEmpty()) request.draft = EngineClient::toPath(options.draft);
    request.predictor = options.predictor;
    request.measuresDevices = true;
    if (const auto type = cacheTypeFromName(options.kvType.toStdString())) request.kvTypeK = request.kvTypeV = *type;
    return request;
}

std::filesystem::path EngineClient::toPath(const QString& path) { return std::filesystem::path(path.toStdU16String()); }

QString EngineClient::fromPath(const std::filesystem::path& path) {
    return QString::fromStdU16String(path.generic_u16string());
}

// --- Commands. What a full queue refuses is tried again a frame later, in order.

void EngineClient::send(Command command) {
    m_commands.push_back(std::move(command));
    flushCommands();
}

void EngineClient::flushCommands() {
    while (!m_commands.empty() && m_commands.front()(*m_engine)) m_commands.pop_front();
    if (!m_commands.empty()) m_retryTimer.start();
}

RequestId EngineClient::submit(GenerateRequest request) {
    request.id = ++m_lastRequest;
    request.model = m_model;
    if (m_state != ModelState::Ready) {
        GenerationFinished finished;
        finished.id = request.id;
        finished.reason = StopReason::Failed;
        finished.sentence = "No model is loaded. Choose one and try again.";
        QMetaObject::invokeMethod(this, [this, finished] { emit generationFinished(finished); }, Qt::QueuedConnection);
        return finished.id;
    }
    const RequestId id = request.id;
    send([request = std::move(request)](EnginePort& engine) { return engine.submit(request); });
    return id;
}

void EngineClient::cancel(RequestId id) {
    send([id](EnginePort& engine) { return engine.cancel(id); });
}

void EngineClient::forgetChat(quint64 chat) {
    send([chat](EnginePort& engine) { return engine.forgetChat(chat); });
}

void EngineClient::keepChats(const QString& folder, quint64 mostBytes) {
    send([path = toPath(folder), mostBytes](EnginePort& engine) { return engine.keepChats(path, mostBytes); });
}

// --- Events: the engine thread rings once, the GUI thread collects at most once a frame.

void EngineClient::wakeFromEngine() {
    if (m_wakePending.exchange(true)) return;
    QMetaObject::invokeMethod(this, &EngineClient::scheduleDrain, Qt::QueuedConnection);
}

void EngineClient::scheduleDrain() {
    if (m_drainTimer.isActive()) return;
    const qint64 elapsed = m_sinceDrain.elapsed();
    if (elapsed >= kFrameMs)
        drain();
    else
        m_drainTimer.start(static_cast<int>(kFrameMs - elapsed));
}

void EngineClient::drain() {
    m_wakePending = false; // before the events are taken, so that none is left without a ring
    m_sinceDrain.restart();
    for (const Event& event : m_engine->takeEvents()) std::visit([this](const auto& e) { handle(e); }, event);
    flushText();
}

void EngineClient::handle(const LoadProgress& event) {
    if (event.model != m_model || m_state != ModelState::Loading) return;
    m_loadFraction = event.fraction;
    emit loadFractionChanged();
}

void EngineClient::handle(const LoadFinished& event) {
    if (event.model != m_model || m_state != ModelState::Loading) return;
    m_facts = event.facts;
    m_loadMs = event.loadMs;
    refreshSnapshot();
    setState(ModelState::Ready);
    emit modelLoaded();
}

void EngineClient::handle(const LoadFailed& event) {
    if (event.model != m_model || m_state != ModelState::Loading) return;
    m_facts.reset();
    const QString sentence = QString::fromStdString(event.sentence);
    if (event.cancelled) {
        m_model = 0;
        m_options = {};
    } else {
        m_failure = sentence;
    }
    refreshSnapshot();
    setState(event.cancelled ? ModelState::None : ModelState::Failed);
    emit modelLoadFailed(sentence, event.cancelled);
}

void EngineClient::handle(const Unloaded& event) {
    refreshSnapshot();
    if (event.model != m_model || m_state != ModelState::Ready) return;
    m_model = 0; // the engine gave the model up by itself, for instance with a lost device
    m_options = {};
    m_facts.reset();
    setState(ModelState::None);
}

void EngineClient::handle(const PromptProgress& event) {
    flushText();
    emit promptProgressed(event);
}

void EngineClient::handle(const TextDelta& event) {
    if (event.id != m_textRequest) flushText();
    m_textRequest = event.id;
    m_text += event.text;
    m_textTokens += static_cast<int>(event.ids.size());
    if (!event.logprobs.empty()) emit logprobsArrived(event.id, event.logprobs);
}

void EngineClient::handle(const GenerationFinished& event) {
    flushText();
    refreshSnapshot();
    emit generationFinished(event);
}

void EngineClient::flushText() {
    if (m_text.empty() && m_textTokens == 0) return;
    const QString text = QString::fromUtf8(m_text.data(), static_cast<qsizetype>(m_text.size()));
    const int tokens = std::exchange(m_textTokens, 0);
    m_text.clear();
    emit textArrived(std::exchange(m_textRequest, 0), text, tokens);
}

void EngineClient::refreshSnapshot() {
    std::shared_ptr<const Snapshot> now = m_engine->snapshot();
    if (!now || now == m_engineSnapshot) return;
    m_engineSnapshot = now;
    m_snapshot = std::move(now);
    emit snapshotChanged();
}

// --- Jobs

template <class T>
void EngineClient::runJob(QObject* context, std::function<T()> work, std::function<void(T)> done) {
    m_jobs.start([this, guard = QPointer<QObject>(context), work = std::move(work), done = std::move(done)] {
        auto answer = std::make_shared<T>(work());
        // The client outlives its jobs (the destructor waits), so it may carry the answer to its own thread.
        QMetaObject::invokeMethod(
            this,
            [this, guard, done, answer] {
                if (guard) done(std::move(*answer));
            },
            Qt::QueuedConnection);
    });
}

void EngineClient::inspect(const QString& path, QObject* context, std::function<void(Result<FileSummary>)> done) {
    const EnginePort* engine = m_engine.get();
    runJob<Result<FileSummary>>(
        context, [engine, file = toPath(path)] { return engine->inspect(file); }, std::move(done));
}

void EngineClient::plan(const LoadOptions& options, QObject* context, std::function<void(Result<MemoryPlan>)> done) {
    const EnginePort* engine = m_engine.get();
    runJob<Result<MemoryPlan>>(
        context, [engine, request = loadRequestOf(options, 0)] { return engine->plan(request); }, std::move(done));
}

void EngineClient::checkForm(const QString& text, bool isSchema, QObject* context, std::function<void(Result<void>)> done) {
    runJob<Result<void>>(
        context, [engine = m_engine.get(), text = text.toStdString(), isSchema] { return engine->checkForm(isSchema ? std::string() : text, isSchema ? text : std::string()); },
        std::move(done));
}

void EngineClient::devices(QObject* context, std::function<void(std::vector<DeviceInfo>)> done) {
    const EnginePort* engine = m_engine.get();
    runJob<std::vector<DeviceInfo>>(context, [engine] { return engine->devices(); }, std::move(done));
}

void EngineClient::keptChats(const QString& folder, bool removes, QObject* context, std::function<void(qint64 bytes)> done) {
    const EnginePort* engine = m_engine.get();
    const auto work = [engine, path = toPath(folder), removes] {
        if (removes) engine->removeKeptChats(path);
        return static_cast<qint64>(engine->keptChatsBytes(path));
    };
    runJob<qint64>(context, work, std::move(done));
}

} // namespace steelyard
