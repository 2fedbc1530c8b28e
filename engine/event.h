// What the engine tells while it works. Events of one request come in order; the last one is GenerationFinished.
#pragma once

#include "engine/request.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace steelyard {

// What a load took or would take on one device, and the facts of the model that clients show.
struct ModelFacts {
    std::string architecture, name, quantization; // quantization as the field writes it: "Q4_K_M"
    uint64_t parameters = 0, fileBytes = 0;
    double bitsPerWeight = 0;
    uint32_t vocabulary = 0, layers = 0;
    uint32_t trainedContext = 0, contextLength = 0; // what the file says; what was reserved
    uint64_t kvBytesPerToken = 0;                    // of the layers that grow with context
    bool hasChatTemplate = false;                    // false: a base model, which continues text
    std::string templateProblem;                     // why the file's template is not used, or empty
    std::string deviceId, deviceName;
    bool predicts = false;                           // the file has a layer that predicts further tokens (multi-token prediction)
    bool predictorLoaded = false;
    std::string draftName;                           // of the model that guesses ahead, or empty
    std::string prefillDeviceId;                     // of the device that reads prompts, where it is another one
    std::optional<SamplingOptions> sampling;         // what suits this model, where the file or its authors say so
    std::vector<std::string> notices;                // sentences that a person should read (context clamped and the like)
};

struct LoadProgress {
    ModelId model = 0;
    float fraction = 0;
};
struct LoadFinished {
    ModelId model = 0;
    ModelFacts facts;
    double loadMs = 0;
};
struct LoadFailed {
    ModelId model = 0;
    std::string sentence;
    bool cancelled = false;
};
struct Unloaded {
    ModelId model = 0;
};

// The prompt is being read.
struct PromptProgress {
    RequestId id = 0;
    uint32_t promptTokens = 0, reusedTokens = 0, readTokens = 0; // readTokens of (promptTokens - reusedTokens) are done
};

// How probable the model found a token before the sampler chain, grammar and biases changed its numbers: natural logarithm.
struct TokenProbability {
    int32_t id = 0;
    float logprob = 0;
    std::string bytes; // need not be whole characters; empty for control tokens
};
struct TokenLogprobs {
    TokenProbability chosen;
    std::vector<TokenProbability> top; // the most probable in its place, best first
};

// Text that became complete; never half a character, never part of a stop string.
struct TextDelta {
    RequestId id = 0;
    std::string text;
    std::vector<int32_t> ids;
    std::vector<float> timesMs{};          // of each id: from submit until it was chosen
    std::vector<TokenLogprobs> logprobs{}; // of each id, when the request asked
};

// What guessing ahead did for one reply.
struct SpeculationStatistics {
    uint32_t steps = 0;                             // that had guesses to check
    uint32_t guessed = 0, accepted = 0;             // tokens
    uint32_t lookupGuessed = 0, lookupAccepted = 0; // of these by looking up; the rest by the draft model
    double draftMs = 0;                             // spent on guessing
    std::string whyNot;                             // why nothing could be guessed though it was asked for, or empty
};

struct GenerationStatistics {
    uint32_t promptTokens = 0, reusedTokens = 0, generatedTokens = 0;
    uint32_t reusedFromDisk = 0, reusedFromMemory = 0; // of the reused ones, those whose pages had left the device and came back
    uint32_t movedTokens = 0; // whose pages left for system memory and came back while the reply ran
    std::string reuseReason; // why the rest of the prompt was read: cache/prefix_cache.h; empty when all but the new turn was reused
    double queueMs = 0, tokenizeMs = 0, reuseMs = 0, prefillMs = 0; // reuse: finding what the cache holds of the prompt
    double firstTokenMs = 0; // from submit until the first token was chosen
    double ttftMs = 0;       // from submit to the first visible character
    double itlP50Ms = 0, itlP95Ms = 0;
    double prefillTokensPerSecond = 0, decodeTokensPerSecond = 0;
    // Of what the device multiplies and reads at best (LoadRequest::measuresDevices); 0 = not known.
    double prefillArithmeticShare = 0, decodeBandwidthShare = 0;
    // Where another device read the prompt: what its pages took to come over, and how many tokens and bytes they are.
    double transferMs = 0;
    uint32_t transferTokens = 0;
    uint64_t transferBytes = 0;
    uint64_t seed = 0;       // the one used
    SpeculationStatistics speculation;
    uint32_t droppedMessages = 0, droppedTokens = 0;     // left out because the context was full (Overflow::DropOldest)
    uint32_t shiftedTokens = 0; // left the cache without reading again (Overflow::Shift): what follows is approximate
    uint32_t wouldDropMessages = 0, wouldDropTokens = 0; // with StopReason::ContextFull: what leaving out the oldest turns would leave out; 0 = nothing can go
};

struct GenerationFinished {
    RequestId id = 0;
    StopReason reason = StopReason::EndToken;
    std::string sentence;    // for Failed: what happened and what to do; for ContextFull: how many tokens there were
    GenerationStatistics statistics;
};

using Event = std::variant<LoadProgress, LoadFinished, LoadFailed, Unloaded, PromptProgress, TextDelta, GenerationFinished>;

} // namespace steelyard
