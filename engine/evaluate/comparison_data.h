// What a comparison is asked and what it answers, as plain data in the user's words. Knows nothing of how it is done.
#pragma once

#include "engine/event.h"
#include "engine/memory/memory_plan.h"
#include "engine/request.h"
#include "engine/snapshot.h"

#include <optional>
#include <string>
#include <vector>

namespace steelyard {

constexpr size_t kMostColumns = 4;

struct ComparisonColumn {
    std::string name;               // as it is shown; empty = made of what differs (nameColumns)
    LoadRequest load;               // with contextLength, kvTypeK, kvTypeV, draft and so on
    SpeculationOptions speculation;
    uint32_t fillerTokens = 0;      // a history of about so many tokens is put before the prompt: does the answer survive at 8k?
};

// In what columns differ from each other.
enum class ColumnTrait { Model, Quantization, KvTypes, Context, Filler, Speculation, Device, File };
struct TraitValue {
    ColumnTrait trait;
    std::string value; // of this column, as the field writes it: "Q4_K_M", "q8_0", "q8_0, q4_0", "8192", "lookup", "cpu"
};
std::string traitOf(const ComparisonColumn& column, const ModelFacts& facts, ColumnTrait trait);
// Of each column the traits that are not the same in all of them. `facts`, of each column, may be empty where nothing is known yet.
std::vector<std::vector<TraitValue>> differingTraits(const std::vector<ComparisonColumn>& columns, const std::vector<ModelFacts>& facts);
// The columns with names: those given, and for the others what differs ("Q4_K_M", "Q4_K_M, KV q8_0", "8192 tokens"); none twice.
std::vector<ComparisonColumn> nameColumns(std::vector<ComparisonColumn> columns, const std::vector<ModelFacts>& facts);

// --- The plan.
struct ColumnPlan {
    MemoryPlan memory;
    ModelFacts facts;
    std::string problem; // why it cannot be loaded, even alone; empty otherwise
};
struct ComparisonPlan {
    enum class Order { Together, OneAfterTheOther, Nothing } order = Order::Nothing; // Nothing: no column can be loaded
    std::vector<ColumnPlan> columns;
    uint64_t togetherBytes = 0, largestBytes = 0; // of all columns that can be loaded; of the one that takes most
    std::optional<uint64_t> freeBytes;            // of the device where it is scarcest; nothing where unknown
    std::string sentence;
};

// --- Answers.
struct AnswerRequest {
    std::vector<Prompt> prompts;  // of each column, its own history with it; or one for all
    SamplingOptions sampling;     // without a seed one is drawn, the same for all columns
    int32_t maxTokens = 512;
    std::vector<std::string> stop;
    uint64_t chat = 0;            // as in GenerateRequest, in every column's own engine
    std::vector<size_t> columns;  // that answer; empty = all
    bool atOnce = false;          // where they are loaded together they answer at once, which makes each slower
};

struct ColumnAnswer {
    std::string text;
    std::vector<int32_t> ids;
    std::vector<float> timesMs;      // of each id, since it was submitted
    GenerationStatistics statistics; // TTFT, prefill, decode, ITL p50/p95, seed, guesses
    ModelFacts facts;                // bits per weight, parameters, device, context
    MemoryUse memory;                // of all devices together, while the answer was still in the cache
    double loadMs = 0;
    bool besideOthers = false;       // others answered at the same time: the speeds are not those of the column alone
    StopReason reason = StopReason::Failed;
    std::string problem;             // why there is no answer, or why it ended early; empty otherwise
};

// --- The same text.
struct SameTextRequest {
    std::vector<Prompt> prompts;     // as in AnswerRequest
    std::string answer;
    std::vector<int32_t> answerIds;  // the answer as its column wrote it; used where the vocabularies are one. Empty = read from `answer`
    size_t idsColumn = 0;            // whose ids they are
    size_t reference = 0;            // the column whose distributions the others are measured against
    uint32_t alternatives = 5;       // named for each token, at most kMostLogprobs
};

struct ForcedToken {
    int32_t id = 0;
    std::string text;                // what became complete with it; the pieces together are the answer
    float logProbability = 0;        // natural logarithm
    uint32_t rank = 1;               // 1 = the column's most probable one
    std::optional<float> kl;         // KL(reference || column) in nats where this token was chosen; in the reference 0; nothing with another vocabulary
    std::vector<TokenProbability> alternatives; // the column's most probable ones, best first
};
struct ForcedColumn {
    std::vector<ForcedToken> tokens;
    double perplexity = 0;           // of the answer
    double topShare = 0;             // share of tokens of rank 1
    std::optional<double> meanKl;
    std::string problem;
};
struct SameText {
    std::vector<ForcedColumn> columns;
    size_t reference = 0;
    bool sameTokens = true;          // all columns read the answer as the same tokens, so that token i is the same one in all
};

// --- Speed.
struct SpeedRequest { // less where a column's context has no room for it
    uint32_t promptTokens = 512, generatedTokens = 64, repetitions = 3;
    uint32_t depth = 0; // tokens already in the cache
};
struct ColumnSpeed {
    double prefillTokensPerSecond = 0, decodeTokensPerSecond = 0; // medians
    double loadMs = 0;
    ModelFacts facts;
    MemoryUse memory;
    std::string problem;
};

} // namespace steelyard
