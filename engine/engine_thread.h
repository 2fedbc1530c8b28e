// The loop of the engine: take commands, run a step, publish. Owner of all device state.
//
// A few requests run at once (decode/batch.h), the others wait in order. Loads run on a thread of their own; the engine thread only adopts
// the result, so that commands are read meanwhile. Knows nothing of clients but their commands.
#pragma once

#include "engine/cancelled_requests.h"
#include "engine/core/bounded_queue.h"
#include "engine/decode/batch.h"
#include "engine/engine.h"
#include "engine/event_outbox.h"
#include "engine/loaded_model.h"

#include <atomic>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <variant>

namespace steelyard {

struct CancelLoadCommand {
    ModelId model;
};
struct UnloadCommand {
    ModelId model;
};
struct SubmitCommand {
    GenerateRequest request;
    Clock::time_point submitted;
    std::optional<Result<ReplyPrompt>> prompt = std::nullopt; // once it was made
    double tokenizeMs = 0;
    Handover handover = {};  // where another device read the prompt
    bool prepared = false;   // nothing must come into the cache any more
};
struct CancelCommand {
    RequestId id;
};
struct ForgetCommand {
    uint64_t chat;
};
struct KeepChatsCommand {
    std::filesystem::path folder;
    uint64_t mostBytes;
};
struct CarryChatCommand { // a chat's last turn into a file, or out of one
    ModelId model;
    uint64_t chat;
    const std::filesystem::path* path;
    bool saves;
    std::promise<Result<uint32_t>>* answer;
};
struct WakeCommand {}; // something that was waited for is there
struct AdoptCommand { // a finished load, or why there is none
    ModelId id;
    std::shared_ptr<Result<std::unique_ptr<LoadedModel>>> result;
    bool cancelled;
};
struct ScoreCommand {
    const ScoreRequest* request;
    const std::function<void(uint32_t, std::span<const float>)>* each;
    const std::atomic<bool>* cancelled; // may be null
    std::promise<Result<void>>* answer;
};
struct BenchmarkCommand {
    const BenchmarkRequest* request;
    std::promise<Result<BenchmarkResult>>* answer;
};
struct PromptTokensCommand {
    const GenerateRequest* request;
    std::promise<Result<PromptTokens>>* answer;
};
using Command = std::variant<LoadRequest, CancelLoadCommand, UnloadCommand, SubmitCommand, CancelCommand, ForgetCommand, KeepChatsCommand,
                             CarryChatCommand, WakeCommand, AdoptCommand, ScoreCommand, BenchmarkCommand, PromptTokensCommand>;

class EngineThread {
public:
    explicit EngineThread(EngineOptions options);
    ~EngineThread();

    bool post(Command command) { return m_commands.tryPush(std::move(command)); }
    bool postCancel(RequestId id);
    // Waits for the answer.
    Result<uint32_t> carryChat(CarryChatCommand command);
    EventOutbox& events() { return m_events; }
    std::shared_ptr<const Snapshot> snapshot() const;

private:
    void loop();
    void handle(Command& command);
    void startLoad(const LoadRequest& request);
    void cancelLoader();
    void adopt(AdoptCommand& command);
    void unload();
    void submit(SubmitCommand command);
    void endReadingAhead(uint64_t chat);
    void cancel(RequestId id);
    Result<ReplyPrompt> fitted(const GenerateRequest& request, uint32_t limit) const;
    Result<ReplyPrompt> promptOf(const GenerateRequest& request) const;
    Result<ReplyPrompt> checkedPromptOf(const GenerateRequest& request) const;
    bool hasTree(const GenerateRequest& request);
    bool isPrepared(SubmitCommand& command);
    void giveUp(SubmitCommand& command);
    bool isReadElsewhere(SubmitCommand& command, bool longFactors);
    bool hasUnseenWork() const;
    void start(SubmitCommand command);
    void startNext();
    Result<uint32_t> carry(const CarryChatCommand& command);
    Result<PromptTokens> promptTokens(const GenerateRequest& request) const;
    void failAll(const std::string& sentence);
    void publish(bool now);
    void log(LogLevel level, const std::string& text) const {
        if (m_options.log) m_options.log(level, text);
    }

    EngineOptions m_options;
    BoundedQueue<Command> m_commands{1024};
    CancelledRequests m_cancelled;
    EventOutbox m_events;
    std::atomic<bool> m_quit = false;

    CacheDisk m_disk;
    std::unique_ptr<LoadedModel> m_model;
    Batch m_batch;
    std::deque<SubmitCommand> m_waiting;
    std::unordered_set<uint64_t> m_chatsBefore; // that had turns in loads before this one
    std::map<std::string, std::optional<DeviceLimits>> m_limits; // of devices that were measured; the loader's
    std::thread m_loader;
    std::atomic<bool> m_loadCancelled = false;
    ModelId m_loading = 0;
    bool m_isLoading = false;

    mutable std::mutex m_snapshotMutex;
    std::shared_ptr<const Snapshot> m_snapshot;
    Clock::time_point m_published{}, m_residentMeasured{};
    std::optional<uint64_t> m_residentBytes;
    uint32_t m_contextUsed = 0;
    std::thread m_thread; // last: starts when all else is there
};

// The logits of a sequence, row by row; uses a sequence of its own. `cancelled` may be null.
Result<void> scoreSequence(LoadedModel& model, const ScoreRequest& request,
                           const std::function<void(uint32_t, std::span<const float>)>& each, const std::atomic<bool>* cancelled);
// The rules of the field's benchmark: no tokenizing or sampling in the figures.
Result<BenchmarkResult> runBenchmark(LoadedModel& model, const BenchmarkRequest& request);
// The memory picture of a model, or of the system when there is none.
Snapshot snapshotOf(const LoadedModel* model, std::optional<uint64_t> residentBytes);
// How much of a model's mapped weights is in memory.
std::optional<uint64_t> residentBytesOf(const LoadedModel& model);

} // namespace steelyard
