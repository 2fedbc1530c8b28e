// The smaller model that guesses ahead for a loaded one.
#include "engine/loaded_model.h"
#include "engine/model/architectures.h"

#include <algorithm>

namespace steelyard {

namespace {

// Why guesses of one model mean nothing to the other, or empty.
std::string vocabularyDifference(const Tokenizer& model, const Tokenizer& draft) {
    // Vocabularies of one family are padded to different sizes behind their last token.
    const auto size = static_cast<TokenId>(std::min(model.vocabularySize(), draft.vocabularySize()));
    for (TokenId id = 0; id < size; ++id)
        if (model.bytes(id, true) != draft.bytes(id, true)) return "token " + std::to_string(id) + " is another one";
    constexpr size_t kPadding = 1024;
    const size_t larger = std::max(model.vocabularySize(), draft.vocabularySize());
    return larger - static_cast<size_t>(size) > kPadding ? "its size is another one" : "";
}

LoadRequest draftRequest(const LoadRequest& request, const Device& device, uint32_t contextLength) {
    LoadRequest own = request;
    own.path = request.draft;
    own.draft.clear();
    own.prefillDevice.clear();
    own.predictor = false;
    own.device = device.info().id;
    own.gpuLayers.reset();
    own.contextLength = contextLength;
    return own;
}

Result<std::unique_ptr<LoadedModel>> usableDraft(const LoadedModel& model, const LoadRequest& request, const LogSink& log,
                                                 const std::atomic<bool>& cancelled) {
    auto draft = loadModel(draftRequest(request, *model.devices.front(), model.facts.contextLength), log, {}, cancelled);
    if (!draft) return draft.error();
    if (!(*draft)->transformer->spec().causal || (*draft)->transformer->cache().hasStates())
        return Error{"a model with recurrent layers or a diffusion model cannot take guesses back"};
    const auto difference = vocabularyDifference(*model.tokenizer, *(*draft)->tokenizer);
    if (!difference.empty()) return Error{"its vocabulary differs from the model's: " + difference};
    return draft;
}

Result<void> loadPredictorOn(LoadedModel& model, const ModelSpec& spec, const LoadRequest& request, const std::atomic<bool>& cancelled) {
    PlanOptions options = planOptionsOf(request);
    options.contextLength = model.facts.contextLength;
    const uint64_t before = model.devices.front()->memory().allocatedBytes;
    const auto plan = planMemory(spec, model.file, *model.devices.front(), options, freeBytesOf(*model.devices.front(), request.memoryLimitBytes));
    if (!plan) return plan.error();
    if (plan->fit == MemoryPlan::Fit::WillNotFit) return Error{"there is no memory for it beside the model"};
    auto layout = layOutLoad(spec, options);
    if (!layout) return layout.error();
    auto weights = loadWeights(spec, model.file, *model.devices.front(), {}, cancelled);
    if (!weights) return weights.error();
    auto transformer = Transformer::create(*model.devices.front(), spec, std::move(*weights), std::move(layout->cache), layout->shape);
    if (!transformer) return transformer.error();
    model.predictor = std::move(*transformer);
    model.predictorPrefixes = std::make_unique<PrefixCache>(model.predictor->cache());
    model.predictorBytes = model.devices.front()->memory().allocatedBytes - before + model.predictor->weights().mappedBytes;
    model.facts.predictorLoaded = true;
    return {};
}

// The plan of the predictor, whose memory comes from the model's own device.
std::optional<uint64_t> predictorBytes(const MemoryPlan& plan, const LoadRequest& request, const ModelSpec& spec, const GgufFile& file, const Device& device) {
    PlanOptions options = planOptionsOf(request);
    options.contextLength = plan.contextLength;
    options.allocatedBefore = plan.allocations;
    const auto own = planMemory(predictorOf(spec), file, device, options, std::nullopt);
    if (!own) return std::nullopt;
    return own->totalBytes - device.memory().allocatedBytes;
}

std::optional<uint64_t> draftBytes(const LoadRequest& request) {
    const auto file = GgufFile::open(request.path, false);
    if (!file) return std::nullopt;
    const auto spec = readSpec(*file);
    if (!spec) return std::nullopt;
    const auto devices = devicesFor(request, *spec, *file, {}, false);
    if (!devices || devices->plan.fit == MemoryPlan::Fit::WillNotFit) return std::nullopt;
    return devices->plan.totalBytes;
}

// A notice that ends in a reason, which may be a sentence or only words.
void addNotice(LoadedModel& model, const std::string& beginning, const std::string& why) {
    model.facts.notices.push_back(beginning + why + (why.back() == '.' ? "" : "."));
}

} // namespace

void loadPredictor(LoadedModel& model, const LoadRequest& request, const std::atomic<bool>& cancelled) {
    const auto done = loadPredictorOn(model, predictorOf(model.transformer->spec()), request, cancelled);
    if (!done) addNotice(model, "The model's own predictor is not used: ", done.sentence());
}

void planDraft(MemoryPlan& plan, const LoadRequest& request, const ModelSpec& spec, const GgufFile& file, const Device& device) {
    std::optional<uint64_t> bytes;
    if (request.predictor && spec.predictor) bytes = predictorBytes(plan, request, spec, file, device);
    if (!request.draft.empty())
        if (const auto own = draftBytes(draftRequest(request, device, plan.contextLength))) bytes = bytes.value_or(0) + *own;
    if (bytes) addDraft(plan, *bytes);
}

void loadDraft(LoadedModel& model, const LoadRequest& request, const LogSink& log, const std::atomic<bool>& cancelled) {
    auto draft = usableDraft(model, request, log, cancelled);
    if (draft) {
        model.facts.draftName = (*draft)->facts.name;
        model.draft = std::move(*draft);
    } else {
        addNotice(model, "The draft model is not used: ", draft.sentence());
    }
}

} // namespace steelyard
