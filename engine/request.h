// What a client may ask of the engine, as plain data in the user's words.
#pragma once

#include "engine/core/tensor_type.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace steelyard {

using RequestId = uint64_t; // chosen by the client, unique among its running requests
using ModelId = uint64_t;   // chosen by the client, one per load

struct LoadRequest {
    ModelId model = 0;
    std::filesystem::path path;
    std::string device = "auto";   // as listDevices() names it; several, with commas between, share the layers
    uint32_t contextLength = 0;    // tokens; 0 = the model's own, at most kDefaultContext
    TensorType kvTypeK = TensorType::F16;
    TensorType kvTypeV = TensorType::F16;
    bool kvRotation = true;         // of quantized types, which lose less for it (engine/cache/README.md)
    uint32_t threads = 0;          // 0 = physical cores
    uint32_t maxRows = 0;          // rows of a prefill chunk; 0 = the engine's choice
    std::filesystem::path draft;   // a smaller model of the same vocabulary that guesses ahead; empty = none
    bool predictor = false;        // load the layer that predicts further tokens, where the file has one (ModelFacts::predicts), to guess ahead with
    uint32_t parallel = 0;         // replies that may run at once, at most kMaxParallel; 0 = kDefaultParallel
    std::optional<uint32_t> gpuLayers; // of the last layers, so many on the device and the others on the processor; nothing = as many as fit
    uint64_t memoryLimitBytes = 0; // the device counts as having no more than this free; 0 = no limit
    bool measuresDevices = false;  // once for each device, how fast it reads and multiplies, so that replies tell their share of it
    std::string prefillDevice;     // another device that reads prompts and hands their pages over; empty = the same
};
constexpr uint32_t kDefaultContext = 4096;
constexpr uint32_t kDefaultParallel = 4, kMaxParallel = 16;

struct ChatMessage {
    std::string role; // "system", "user", "assistant"
    std::string content;
    std::string reasoning; // of an assistant, empty when there was none
};

struct LogitBias {
    int32_t token = 0;
    float bias = 0; // added to the logit; minus infinity bans the token
};

// The numbers of the sampler chain; what each stage does stands in sampling/stages.h. Which stages run, and when, says `order`.
struct SamplingOptions {
    float temperature = 0.8f;         // 0 = always the most probable token
    float temperatureRange = 0;       // 0 = off; else the temperature moves within +- this as the distribution is sure or unsure
    float temperatureExponent = 1;    // shape of that move
    int32_t topK = 40;                // 0 = off
    float topP = 0.95f;               // 1 = off
    float minP = 0.05f;               // 0 = off
    float typicalP = 1;               // 1 = off
    float topNSigma = 0;              // 0 = off
    float xtcProbability = 0;         // 0 = off
    float xtcThreshold = 0.1f;        // above 0.5 = off
    int32_t minKeep = 1;              // typical, top-p, min-p and xtc leave at least so many
    int32_t repeatLastN = 64;         // tokens that the three penalties look at; 0 = off, -1 = the whole context
    float repeatPenalty = 1;          // 1 = off; over prompt and reply
    float frequencyPenalty = 0;       // 0 = off; over the reply alone
    float presencePenalty = 0;        // 0 = off; over the reply alone
    float dryMultiplier = 0;          // 0 = off
    float dryBase = 1.75f;
    int32_t dryAllowedLength = 2;     // repetitions up to one token less are free
    int32_t dryLastN = -1;            // tokens that are searched; 0 = off, -1 = the whole context
    std::vector<std::string> dryBreakers = {"\n", ":", "\"", "*"}; // no repetition reaches over one of them
    float mirostatTau = 0;            // the surprise aimed at, in bits; 0 = off
    float mirostatEta = 0.1f;         // how fast it is followed
    std::vector<LogitBias> logitBias;
    std::vector<std::string> order;   // names of stages; empty = kDefaultOrder of sampling/sampler.h
    std::optional<uint64_t> seed;     // nothing = random; the one used is reported
};

// Exactly one of messages, text, ids is used: messages when `kind` says so, and so on.
struct Prompt {
    enum class Kind { Messages, Text, Ids } kind = Kind::Text;
    std::vector<ChatMessage> messages; // rendered with the model's chat template
    bool continuesReply = false;       // messages only: the last is an unfinished reply, which goes on where it stopped
    bool stillWriting = false;         // messages only: the last is not finished; what will follow it whatever it becomes does not count
    std::string text;                  // BOS is added as the file says
    bool special = false;              // text only: control tokens written in it count
    std::vector<int32_t> ids;          // taken as they are
};

// Who is served first. Stored nowhere.
enum class Priority : int {
    ReadAhead = 0,  // fills the cache while nobody else needs the engine; gives way to all others
    Background = 1, // a reply that nobody looks at now
    Foreground = 2, // the chat on the screen
};

// What happens when a chat and its reply outgrow the context. Stored by number: append only.
enum class Overflow : int {
    Stop = 0,       // the reply ends there with StopReason::ContextFull
    DropOldest = 1, // the oldest turns are left out, never the system prompt and the last message; messages only
    Error = 2,      // the request fails
    // The oldest tokens behind the system prompt leave the cache and those behind them move up. Faster than DropOldest, which reads
    // again, but not exact; the reply says so, and its cache is kept for nobody. Where a model or a prompt does not allow it: DropOldest.
    Shift = 3,
};

// Guesses of the next tokens, checked in one step: what comes out is what would come without (decode/speculation.h).
struct SpeculationOptions {
    bool lookup = false;      // guess what followed the same tokens before, in prompt and reply
    bool draft = true;        // guess by the draft model, where one is loaded
    uint32_t mostTokens = 8;  // guessed at once; the number used follows what is accepted and what it costs
    bool adapts = true;       // false: always mostTokens, whether it pays or not
};

struct GenerateRequest {
    RequestId id = 0;
    ModelId model = 0;
    Prompt prompt;
    SamplingOptions sampling;
    int32_t maxTokens = -1;         // -1 = until the context is full
    std::vector<std::string> stop;  // stop strings; never shown
    std::string grammar;            // in GBNF; the reply is a text of it. Empty = any text
    std::string jsonSchema;         // the same as a JSON schema; at most one of the two
    int32_t logprobs = -1;          // -1 = none; n = of each token and of the n most probable in its place, at most kMostLogprobs
    uint64_t chat = 0;              // takes up what turns left in the cache, and leaves its own there in this chat's name; 0 = neither
    Priority priority = Priority::Foreground;
    Overflow overflow = Overflow::Stop;
    SpeculationOptions speculation;
    bool temporary = false;         // the chat's cache never goes to the disk
};

constexpr int32_t kMostLogprobs = 100;

// Why a reply ended. Stored by number: append only.
enum class StopReason : int { EndToken = 0, StopString = 1, TokenLimit = 2, ContextFull = 3, Cancelled = 4, Failed = 5 };

// Logits of every position of one sequence (the command-line client's `logits`, evaluations).
struct ScoreRequest {
    ModelId model = 0;
    std::vector<int32_t> ids;
    uint32_t from = 0;     // first row wanted
    uint32_t batchRows = 0; // rows of a chunk; 0 = the engine's choice
};

struct BenchmarkRequest {
    ModelId model = 0;
    uint32_t promptTokens = 512;
    uint32_t generatedTokens = 64;
    uint32_t depth = 0;       // tokens already in the cache
    uint32_t repetitions = 5;
    uint32_t parallel = 1;
    bool kvCache = true;      // false: everything is read again for each token
};

} // namespace steelyard
