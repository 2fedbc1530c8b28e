// An engine for work that waits for its answers: loads and replies as function calls, for the command-line client and for comparisons.
//
// One call at a time, on any one thread. Knows nothing of terminals and windows.
#pragma once

#include "engine/engine.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace steelyard {

struct GatheredReply {
    std::string text;
    std::vector<int32_t> ids;
    std::vector<float> timesMs; // of each id, since it was submitted
    std::vector<TokenLogprobs> logprobs;
    GenerationFinished finished;
};

class WaitingEngine {
public:
    explicit WaitingEngine(LogSink log = {});

    // Loads the model, in place of the one before. `cancelled` (may be null) ends it with an error.
    Result<void> load(const LoadRequest& request, const std::function<void(float)>& progress, const std::atomic<bool>* cancelled);
    // Frees the model and waits until it is gone.
    void unload();

    // Runs one request of the loaded model to its end, which may be a cancelled one; its events are passed on as they come. The
    // request's id and model are filled in.
    Result<GatheredReply> generate(GenerateRequest request, const std::function<void(const Event&)>& each, const std::atomic<bool>* cancelled);

    Engine& engine() { return m_engine; }
    bool isLoaded() const { return m_isLoaded; }
    ModelId model() const { return m_model; } // of the last load
    const ModelFacts& facts() const { return m_facts; }
    double loadMs() const { return m_loadMs; }
    MemoryUse memory() const; // of all devices together

private:
    Engine m_engine;
    ModelId m_model = 0;
    ModelFacts m_facts;
    double m_loadMs = 0;
    bool m_isLoaded = false;
    RequestId m_lastRequest = 0;
};

// As reports name it: "end_token", "token_limit" and so on.
const char* stopReasonName(StopReason reason);

} // namespace steelyard
