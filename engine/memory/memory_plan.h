// What a load takes, said before it starts: weights, cache, compute buffers, and the context at which memory ends.
//
// The same functions lay out what a load then really allocates, so prediction and measurement cannot drift apart. Holds no
// tensors. Knows nothing of requests.
#pragma once

#include "engine/backend/backend.h"
#include "engine/cache/cache_layout.h"
#include "engine/format/gguf_file.h"
#include "engine/model/activations.h"
#include "engine/model/model_spec.h"
#include "engine/model/weights.h"

#include <optional>
#include <string>
#include <vector>

namespace steelyard {

// Bytes of one kind of cache: what each token adds, and what it takes at most (a window's own size).
struct PlannedKind {
    std::string kind; // "full", "window", "latent", "compressed", "recurrent"
    uint64_t bytesPerToken = 0, fixedBytes = 0;
};

// One of several devices that a model is divided over.
struct PlannedDevice {
    std::string id, name;
    uint32_t layers = 0, expertLayers = 0; // whole ones, and those of which it has the experts alone
    uint64_t weightsBytes = 0, kvBytes = 0, totalBytes = 0;
    std::optional<uint64_t> freeBytes;
};

struct MemoryPlan {
    std::string deviceId;
    uint64_t weightsBytes = 0, kvBytes = 0; // mapped weights count in full
    uint64_t computeBytes = 0;              // what else the device takes: activations, buffers of its own, rounding
    uint64_t draftBytes = 0;                // all that guesses ahead takes, where there is room for it
    uint64_t totalBytes = 0;                // of the four
    uint64_t hostBytes = 0;                 // of the computer's memory beside them: head, tokenizer, logits
    std::vector<PlannedKind> kinds;
    uint32_t contextLength = 0; // planned for
    uint32_t contextLimit = 0;  // the longest context that fits the free memory, at most the model's own; 0 = none
    std::optional<uint64_t> freeBytes;
    std::optional<uint64_t> roomBytes;   // what there is for the total: free, with what the device took when it was opened
    std::vector<uint64_t> allocations;   // that the load makes on a device which it has for itself, in their order
    enum class Fit { Fits, Tight, WillNotFit, Unknown } fit = Fit::Unknown;
    uint64_t missingBytes = 0;  // with WillNotFit
    std::vector<PlannedDevice> devices; // of a model that is divided, the processor last; else empty
    uint32_t layers = 0;                // of a model that is divided
    double tokensPerSecond = 0;         // about, of a model that is divided; 0 = not known
};

struct PlanOptions {
    uint32_t contextLength = 0; // 0 = the model's own, at most `defaultContext`
    uint32_t defaultContext = 4096;
    CacheTypes cacheTypes;
    uint32_t maxRows = 0;       // 0 = kDefaultRows
    uint32_t sequences = 1;     // that run at once, at most 16; a benchmark of eight needs room for eight
    std::vector<uint64_t> allocatedBefore; // on the device by others of the same load
};
constexpr uint32_t kDefaultRows = 256;

// Everything that a load allocates by.
struct LoadLayout {
    CacheLayout cache;
    StepShape shape;
    uint32_t contextLength = 0;
    std::vector<std::string> notices; // a context that was clamped and the like
};

Result<LoadLayout> layOutLoad(const ModelSpec& spec, const PlanOptions& options, const Placement& placement = {});

// Of each kind of cache, what it takes.
std::vector<PlannedKind> kindsOf(const CacheLayout& cache);

// The plan for a device with `freeBytes` of memory to give. The error names a tensor or cache type that cannot be used.
Result<MemoryPlan> planMemory(const ModelSpec& spec, const GgufFile& file, const Device& device, const PlanOptions& options,
                              std::optional<uint64_t> freeBytes);

// Puts what guesses ahead into a plan, if there is room for it beside the model; else a load does without.
void addDraft(MemoryPlan& plan, uint64_t bytes);

} // namespace steelyard
