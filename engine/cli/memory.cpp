#include "engine/cli/files.h"
#include "engine/cli/session.h"
#include "engine/memory/split_plan.h"
#include "engine/memory/system_memory.h"

#include <algorithm>

namespace steelyard::cli {

namespace {

constexpr uint32_t kScoredRows = 64; // as many as one step gives logits for

struct Options {
    ModelOptions model;
    std::string draft;
    bool predictor = false;
    bool measure = false;
};

const char* fitName(MemoryPlan::Fit fit) {
    switch (fit) {
    case MemoryPlan::Fit::Fits:
        return "fits";
    case MemoryPlan::Fit::Tight:
        return "tight";
    case MemoryPlan::Fit::WillNotFit:
        return "will not fit";
    case MemoryPlan::Fit::Unknown:
        return "unknown";
    }
    return "";
}

Json planJson(const MemoryPlan& plan) {
    Json kinds = Json::array();
    for (const auto& kind : plan.kinds)
        kinds.push_back(
            {{"kind", kind.kind}, {"bytes_per_token", kind.bytesPerToken}, {"fixed_bytes", kind.fixedBytes}});
    Json json = {{"device", plan.deviceId},
                 {"context_length", plan.contextLength},
                 {"weights_bytes", plan.weightsBytes},
                 {"kv_bytes", plan.kvBytes},
                 {"compute_bytes", plan.computeBytes},
                 {"draft_bytes", plan.draftBytes},
                 {"total_bytes", plan.totalBytes},
                 {"host_bytes", plan.hostBytes},
                 {"fits", plan.fit != MemoryPlan::Fit::WillNotFit},
                 {"fit", plan.devices.empty() || plan.fit == MemoryPlan::Fit::WillNotFit ? fitName(plan.fit) : "partly on the processor"},
                 {"missing_bytes", plan.missingBytes},
                 {"context_limit", plan.contextLimit},
                 {"kinds", std::move(kinds)}};
    for (const auto& device : plan.devices)
        json["devices"].push_back({{"id", device.id}, {"layers", device.layers}, {"expert_layers", device.expertLayers}, {"total_bytes", device.totalBytes}});
    if (plan.tokensPerSecond > 0) json["about_tokens_per_second"] = plan.tokensPerSecond;
    if (plan.freeBytes) json["free_bytes"] = *plan.freeBytes;
    return json;
}

std::string planText(const MemoryPlan& plan) {
    std::string text =
        "On " + plan.deviceId + " with a context of " + std::to_string(plan.contextLength) + " tokens:\n";
    text += "  weights   " + bytesForPeople(plan.weightsBytes) + "\n";
    text += "  KV cache  " + bytesForPeople(plan.kvBytes) + "\n";
    for (const auto& kind : plan.kinds) {
        text += "    " + kind.kind + ": ";
        if (kind.bytesPerToken > 0) text += bytesForPeople(kind.bytesPerToken) + " per token";
        if (kind.fixedBytes > 0) text += (kind.bytesPerToken > 0 ? ", " : "") + bytesForPeople(kind.fixedBytes) + " in all";
        text += "\n";
    }
    text += "  compute   " + bytesForPeople(plan.computeBytes) + "\n";
    if (plan.draftBytes > 0) text += "  draft     " + bytesForPeople(plan.draftBytes) + "\n";
    text += "  together  " + bytesForPeople(plan.totalBytes) + ": " + fitName(plan.fit) + "\n";
    if (const auto split = splitSentence(plan); !split.empty()) text += split + "\n";
    return text + "The longest context that fits is " + std::to_string(plan.contextLimit) + " tokens.\n";
}

// Fills the context and the buffers, so that all memory which a model may come to use is in use.
Result<void> useAll(Session& session, ModelId model) {
    ScoreRequest request;
    request.model = model;
    request.ids.assign(session.facts().contextLength, 0);
    request.from = session.facts().contextLength - std::min(session.facts().contextLength, kScoredRows);
    return session.engine().score(request, [](uint32_t, std::span<const float>) {});
}

Result<Output> measure(const LoadRequest& load, Output output) {
    const auto before = systemMemory().ownBytes;
    Session session;
    if (auto loaded = session.load(load); !loaded) return loaded.error();
    if (auto used = useAll(session, load.model); !used) return used.error();
    const MemoryUse use = session.memory();
    const uint64_t kvBytes = use.kvUsedBytes + use.kvCachedBytes + use.kvReservedBytes;
    output.json["measured"] = {{"device", session.facts().deviceId},
                               {"weights_bytes", use.weightsBytes},
                               {"kv_bytes", kvBytes},
                               {"compute_bytes", use.computeBytes},
                               {"draft_bytes", use.draftBytes},
                               {"total_bytes", use.totalBytes()}};
    if (const auto after = systemMemory().ownBytes; before && after)
        output.json["measured"]["resident_growth_bytes"] = *after - std::min(*before, *after);
    output.text += "Measured: weights " + bytesForPeople(use.weightsBytes) + ", KV cache " + bytesForPeople(kvBytes) +
                   ", compute " + bytesForPeople(use.computeBytes) + ", together " + bytesForPeople(use.totalBytes()) +
                   ".\n";
    return output;
}

Result<Output> memory(const Options& options, const CommonOptions& common) {
    LoadRequest load = loadRequestOf(options.model, common);
    load.draft = pathOf(options.draft);
    load.predictor = options.predictor;
    const auto plan = Engine::plan(load);
    if (!plan) return plan.error();
    Output output;
    output.json["predicted"] = planJson(*plan);
    output.text = planText(*plan);
    if (!options.measure) return output;
    return measure(load, output);
}

} // namespace

Work declareMemory(CLI::App& app, const CommonOptions& common) {
    auto options = std::make_shared<Options>();
    addModelOptions(app, options->model);
    app.add_option("--parallel", options->model.parallel, "Replies that may run at once")->check(CLI::Range(1u, kMaxParallel));
    app.add_option("--draft", options->draft, "A smaller model of the same vocabulary that guesses ahead");
    app.add_flag("--predictor", options->predictor, "With the layer that predicts further tokens, where the file has one");
    app.add_flag("--measure", options->measure, "Load the model and say what it took");
    return [options, &common] { return memory(*options, common); };
}

} // namespace steelyard::cli
