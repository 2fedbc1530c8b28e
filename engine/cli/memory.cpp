#include "engine/cli/files.h"
#include "engine/cli/session.h"

namespace steelyard::cli {

namespace {

struct Options {
    ModelOptions model;
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
                 {"total_bytes", plan.totalBytes},
                 {"fits", plan.fit != MemoryPlan::Fit::WillNotFit},
                 {"fit", fitName(plan.fit)},
                 {"missing_bytes", plan.missingBytes},
                 {"context_limit", plan.contextLimit},
                 {"kinds", std::move(kinds)}};
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
    text += "  together  " + bytesForPeople(plan.totalBytes) + ": " + fitName(plan.fit) + "\n";
    return text + "The longest context that fits is " + std::to_string(plan.contextLimit) + " tokens.\n";
}

Result<Output> memory(const Options& options, const CommonOptions& common) {
    const LoadRequest load = loadRequestOf(options.model, common);
    const auto plan = Engine::plan(load);
    if (!plan) return plan.error();
    Output output;
    output.json["predicted"] = planJson(*plan);
    output.text = planText(*plan);
    if (!options.measure) return output;
    Session session;
    if (auto loaded = session.load(load); !loaded) return loaded.error();
    const MemoryUse use = session.memory();
    const uint64_t kvBytes = use.kvUsedBytes + use.kvCachedBytes + use.kvReservedBytes;
    output.json["measured"] = {{"device", session.facts().deviceId},
                               {"weights_bytes", use.weightsBytes},
                               {"kv_bytes", kvBytes},
                               {"compute_bytes", use.computeBytes},
                               {"total_bytes", use.totalBytes()}};
    output.text += "Measured: weights " + bytesForPeople(use.weightsBytes) + ", KV cache " + bytesForPeople(kvBytes) +
                   ", compute " + bytesForPeople(use.computeBytes) + ", together " + bytesForPeople(use.totalBytes()) +
                   ".\n";
    return output;
}

} // namespace

Work declareMemory(CLI::App& app, const CommonOptions& common) {
    auto options = std::make_shared<Options>();
    addModelOptions(app, options->model);
    app.add_flag("--measure", options->measure, "Load the model and say what it took");
    return [options, &common] { return memory(*options, common); };
}

} // namespace steelyard::cli
