// The window's side of the engine: owns it, speaks to it in commands, and turns its events into signals.
//
// Invariant: every signal and every callback arrives on the thread that made the client (the GUI thread), at most one
// batch per frame; no function here waits for the engine, a file or a driver. One model is loaded at a time. Text of one
// request arrives in order, and its generationFinished is the last. This folder is the only includer of engine/engine.h;
// the engine's own types (Snapshot, ModelFacts, MemoryPlan, ...) are seen through this header. Knows nothing of chats,
// settings or the store.
#pragma once

#include "gui/engine_client/engine_port.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

namespace steelyard {

// What to load and how.
struct LoadOptions {
    QString path;
    QString device = QStringLiteral("auto"); // as DeviceInfo::id
    quint32 contextLength = 0;               // tokens; 0 = the model's own, at most kDefaultContext
    quint32 threads = 0;                     // 0 = physical cores
    QString draft = {};                      // a smaller model that guesses ahead, or empty
    QString kvType = QStringLiteral("f16");  // of the KV cache, as the engine names it
    bool predictor = false;                  // with the file's own layer that guesses ahead

    bool operator==(const LoadOptions&) const = default;
};

// The same for the engine.
LoadRequest loadRequestOf(const LoadOptions& options, ModelId model);

class EngineClient : public QObject {
    Q_OBJECT
    Q_PROPERTY(ModelState modelState READ modelState NOTIFY modelStateChanged)
    Q_PROPERTY(qreal loadFraction READ loadFraction NOTIFY loadFractionChanged)
    Q_PROPERTY(QString modelPath READ modelPath NOTIFY modelStateChanged)
    Q_PROPERTY(QString failure READ failure NOTIFY modelStateChanged)

public:
    enum class ModelState { None, Loading, Ready, Failed };
    Q_ENUM(ModelState)

    explicit EngineClient(const EngineFactory& factory, QObject* parent = nullptr);
    ~EngineClient() override; // cancels what runs, then joins

    // --- The model.
    // Replaces the loaded model; the same options again while loading or ready do nothing.
    void load(const LoadOptions& options);
    Q_INVOKABLE void cancelLoad();
    Q_INVOKABLE void unload();

    ModelState modelState() const { return m_state; }
    qreal loadFraction() const { return m_loadFraction; }
    QString modelPath() const { return m_options.path; }         // loading, ready or failed; empty with None
    QString failure() const { return m_failure; }                // with Failed: the engine's sentence, for inWords()
    const LoadOptions& loadOptions() const { return m_options; }
    const std::optional<ModelFacts>& facts() const { return m_facts; } // with Ready
    double loadMs() const { return m_loadMs; }

    // --- Replies. The request's id and model are filled in; the id is returned. The model must be ready, else the
    // request ends at once with StopReason::Failed.
    RequestId submit(GenerateRequest request);
    void cancel(RequestId id);
    void forgetChat(quint64 chat);
    // Keeps chats' caches in files of a folder, at most so many bytes; an empty folder: no more.
    void keepChats(const QString& folder, quint64 mostBytes);

    // --- What the gauges read; never null.
    std::shared_ptr<const Snapshot> snapshot() const { return m_snapshot; }

    // --- Without a load, on a bounded job pool. The callback comes on the GUI thread, unless `context` is gone by then.
    void inspect(const QString& path, QObject* context, std::function<void(Result<FileSummary>)> done);
    void plan(const LoadOptions& options, QObject* context, std::function<void(Result<MemoryPlan>)> done);
    // Whether a text is a sound JSON schema, or grammar, for replies.
    void checkForm(const QString& text, bool isSchema, QObject* context, std::function<void(Result<void>)> done);
    void devices(QObject* context, std::function<void(std::vector<DeviceInfo>)> done);

    // How many bytes of chats are kept in a folder; `removes` them first.
    void keptChats(const QString& folder, bool removes, QObject* context, std::function<void(qint64 bytes)> done);

    static std::filesystem::path toPath(const QString& path);
    static QString fromPath(const std::filesystem::path& path);

signals:
    void modelStateChanged();
    void loadFractionChanged();
    void modelLoaded();                          // state became Ready: facts() are there
    void modelLoadFailed(const QString& sentence, bool cancelled);
    void snapshotChanged();                      // at most four times a second
    void promptProgressed(const steelyard::PromptProgress& progress);
    void logprobsArrived(quint64 request, const std::vector<steelyard::TokenLogprobs>& tokens); // where the request asked for them
    void textArrived(quint64 request, const QString& text, int tokens);
    void generationFinished(const steelyard::GenerationFinished& finished);

private:
    using Command = std::function<bool(EnginePort&)>; // false = the queue was full

    void wakeFromEngine();       // engine thread
    void scheduleDrain();
    void drain();
    void flushCommands();
    void send(Command command);
    void refreshSnapshot();
    void setState(ModelState state);
    void leaveModel();           // the loaded or loading model is given up
    void handle(const LoadProgress& event);
    void handle(const LoadFinished& event);
    void handle(const LoadFailed& event);
    void handle(const Unloaded& event);
    void handle(const PromptProgress& event);
    void handle(const TextDelta& event);
    void handle(const GenerationFinished& event);
    void flushText();
    template <class T>
    void runJob(QObject* context, std::function<T()> work, std::function<void(T)> done);

    std::unique_ptr<EnginePort> m_engine;
    std::atomic<bool> m_wakePending = false;
    QElapsedTimer m_sinceDrain;
    QTimer m_drainTimer, m_retryTimer, m_snapshotTimer;
    std::deque<Command> m_commands;
    QThreadPool m_jobs;

    ModelState m_state = ModelState::None;
    ModelId m_model = 0, m_lastModel = 0;
    RequestId m_lastRequest = 0;
    LoadOptions m_options;
    std::optional<ModelFacts> m_facts;
    qreal m_loadFraction = 0;
    double m_loadMs = 0;
    QString m_failure;
    std::shared_ptr<const Snapshot> m_snapshot, m_engineSnapshot;

    RequestId m_textRequest = 0; // text of one batch, gathered before it is told
    std::string m_text;
    int m_textTokens = 0;
};

} // namespace steelyard
