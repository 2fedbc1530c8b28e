// A model that is ready to run: file, tokenizer, chat template, device, transformer, and the caches its chats left.
#pragma once

#include "engine/backend/backends.h"
#include "engine/backend/device_limits.h"
#include "engine/cache/warm_chats.h"
#include "engine/core/log.h"
#include "engine/decode/ideal_times.h"
#include "engine/decode/prefill_side.h"
#include "engine/event.h"
#include "engine/format/gguf_file.h"
#include "engine/grammar/matcher.h"
#include "engine/grammar/trie_maker.h"
#include "engine/load_devices.h"
#include "engine/model/transformer.h"
#include "engine/request.h"
#include "engine/template/chat_format.h"
#include "engine/tokenizer/tokenizer.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>

namespace steelyard {

// Members in the order of construction: buffers go before the device that they belong to.
struct LoadedModel {
    explicit LoadedModel(GgufFile opened) : file(std::move(opened)) {}

    ModelId id = 0;
    GgufFile file;
    std::shared_ptr<const Tokenizer> tokenizer;
    grammar::TrieMaker trieMaker;                         // begins when a grammar first asks for the tree
    std::shared_ptr<const grammar::TokenTrie> tokenTrie; // what it made
    std::optional<ChatFormat> format;
    std::vector<std::unique_ptr<Device>> devices; // one, or several that share the layers, the processor last
    std::unique_ptr<Transformer> transformer;
    std::unique_ptr<PrefixCache> prefixes;
    std::unique_ptr<WarmChats> warm; // made by the engine thread
    CacheKey cacheKey;
    std::unique_ptr<PrefillSide> prefill; // another device that reads prompts, or null
    ModelFacts facts;
    std::vector<TokenWork> work; // of each device
    IdealTimes ideal;
    std::unique_ptr<LoadedModel> draft; // the model that guesses ahead, or null
    std::unique_ptr<Transformer> predictor; // the file's own layer that does, or null
    std::unique_ptr<PrefixCache> predictorPrefixes;
    uint64_t predictorBytes = 0; // all that it takes
    double loadMs = 0;
    uint32_t threads = 0;
};

// Opens, checks and loads; the error is a sentence for the person. `cancelled` is read between pieces. Any thread.
Result<std::unique_ptr<LoadedModel>> loadModel(const LoadRequest& request, const LogSink& log,
                                               const std::function<void(float)>& progress, const std::atomic<bool>& cancelled);

// Loads the request's draft model beside a loaded one; where it cannot be used, a notice says why.
void loadDraft(LoadedModel& model, const LoadRequest& request, const LogSink& log, const std::atomic<bool>& cancelled);

// Loads the file's predictor beside the model; where it cannot be used, a notice says why.
void loadPredictor(LoadedModel& model, const LoadRequest& request, const std::atomic<bool>& cancelled);
// What the request's draft model and predictor would take beside the model of a plan.
void planDraft(MemoryPlan& plan, const LoadRequest& request, const ModelSpec& spec, const GgufFile& file, const Device& device);
// Loads the model on the device that is to read the request's prompts, beside a loaded one.
Result<void> loadPrefillSide(LoadedModel& model, const LoadRequest& request, const LogSink& log, const std::atomic<bool>& stop);

// What the model's devices would take at best, where they can be measured; `known` keeps what was measured once.
void measureIdealTimes(LoadedModel& model, std::map<std::string, std::optional<DeviceLimits>>& known, const LogSink& log);

// The facts that a file's head tells; `spec` may be null for a file that cannot be run.
ModelFacts factsOf(const GgufFile& file, const ModelSpec* spec);

// Whether a request asks for a form of its reply, which takes the vocabulary's tree.
bool asksForm(const GenerateRequest& request);
// What a request asks of the form of its reply, past what is there of it already; nothing = any text. The error says what is wrong
// with the grammar. The model's tree is there if the request asks for a form.
Result<std::optional<grammar::Matcher>> replyForm(const LoadedModel& model, const GenerateRequest& request, std::span<const int32_t> replySoFar);

} // namespace steelyard
