// The engine behind one header: everything that the window and the command-line client may call.
//
// One engine thread owns all device state. Commands go in through a bounded queue and come back as events through
// another; snapshots are immutable and may be read at any time. Nothing here blocks longer than a lock, except where a
// function says that it waits. Functions marked "without a load" work on the caller's thread and touch no device.
#pragma once

#include "engine/backend/backends.h"
#include "engine/core/log.h"
#include "engine/core/result.h"
#include "engine/event.h"
#include "engine/memory/memory_plan.h"
#include "engine/quant/quantize.h"
#include "engine/request.h"
#include "engine/snapshot.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace steelyard {

struct EngineOptions {
    LogSink log;                 // any thread; may be empty
    std::function<void()> wake;  // called on the engine thread when an event was queued; must return at once; may be empty
};

struct TensorSummary {
    std::string name, type;
    std::vector<uint64_t> shape; // fastest first
    uint64_t bytes = 0;
};
struct MetadataEntry {
    std::string key, type, value; // value shortened for people: arrays as "[n values] a, b, c, ..."
};
struct FileSummary {
    ModelFacts facts;
    std::vector<TensorSummary> tensors;
    std::vector<MetadataEntry> metadata;
    std::vector<std::filesystem::path> parts; // the files of the model in their order: the first is the one to open
    std::string refusal; // why the engine cannot run it (unknown architecture and the like), or empty
};

struct BenchmarkResult {
    std::string device;
    uint32_t threads = 0;
    std::vector<double> prefillTokensPerSecond, decodeTokensPerSecond, firstStepMs; // one per repetition
    double loadMs = 0;
    uint64_t weightsBytes = 0, kvBytesPerToken = 0;
    // Of the medians, as in GenerationStatistics; 0 = not known.
    double arithmeticShare = 0, bandwidthShare = 0;
};

// What a request's prompt is read as.
struct PromptTokens {
    std::vector<int32_t> ids;
    uint32_t replyTokens = 0; // the last ones are those of a reply that goes on (Prompt::continuesReply)
};

class Engine {
public:
    explicit Engine(EngineOptions options);
    ~Engine(); // cancels what runs, then joins

    // --- Commands; answered by events. False when the queue is full (the caller may try again).
    bool load(LoadRequest request);         // LoadProgress..., then LoadFinished or LoadFailed; replaces the loaded model
    bool cancelLoad(ModelId model);
    bool unload(ModelId model);             // Unloaded
    bool submit(GenerateRequest request);   // PromptProgress, TextDelta..., then GenerationFinished
    bool cancel(RequestId id);              // takes effect within one step
    bool forgetChat(uint64_t chat);         // frees the cache that a chat left behind, also on disk
    // Keeps chats' caches in files of this folder when they must leave memory, at most so many bytes; an empty path: no
    // more, and those of the folder are removed.
    bool keepChats(std::filesystem::path folder, uint64_t mostBytes);

    // --- Events and snapshots; any thread.
    std::vector<Event> takeEvents();        // all that wait, in order
    std::vector<Event> waitForEvents(int timeoutMs);
    std::shared_ptr<const Snapshot> snapshot() const;

    // --- Work that waits for its answer (command-line client and tests; never the window). The model must be loaded.
    // Rows arrive in order on the engine's thread, each `vocabulary` floats, valid during the call. `cancelled` (may be
    // null) is read between steps and ends the work with an error.
    Result<void> score(const ScoreRequest& request, const std::function<void(uint32_t row, std::span<const float>)>& each,
                       const std::atomic<bool>* cancelled = nullptr);
    Result<BenchmarkResult> benchmark(const BenchmarkRequest& request);
    // What the model would read for a request, by its template and vocabulary.
    Result<PromptTokens> promptTokens(const GenerateRequest& request);

    // A chat's last turn as a file, and back into the cache; how many tokens. A file that does not fit the model is an error.
    Result<uint32_t> saveChat(ModelId model, uint64_t chat, const std::filesystem::path& path);
    Result<uint32_t> restoreChat(ModelId model, uint64_t chat, const std::filesystem::path& path);

    // --- Without a load.
    // Bytes of the chats kept in a folder; removes them. Wait for the disk.
    static uint64_t keptChatsBytes(const std::filesystem::path& folder);
    static void removeKeptChats(const std::filesystem::path& folder);
    static Result<FileSummary> inspect(const std::filesystem::path& path);
    // The file may be a head without tensor data.
    static Result<MemoryPlan> plan(const LoadRequest& request);
    // Whether a grammar, or a JSON schema, is one that replies can follow; at most one of the two is not empty.
    static Result<void> checkForm(const std::string& grammar, const std::string& jsonSchema);
    static Result<std::vector<int32_t>> tokenize(const std::filesystem::path& path, const std::string& text, bool special, bool addBos);
    static Result<std::string> detokenize(const std::filesystem::path& path, const std::vector<int32_t>& ids);
    // What files of other types a model could be made into, and their sizes; makes one. See engine/quant/quantize.h.
    static Result<std::vector<QuantizedSize>> quantizedSizes(const std::filesystem::path& path) { return steelyard::quantizedSizes(path); }
    static Result<QuantizeResult> quantize(const QuantizeRequest& request, const std::function<void(float)>& progress,
                                           const std::atomic<bool>& cancelled) {
        return quantizeFile(request, progress, cancelled);
    }

private:
    class Implementation;
    std::unique_ptr<Implementation> m_implementation;
};

} // namespace steelyard
