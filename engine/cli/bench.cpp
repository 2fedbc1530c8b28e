#include "engine/cli/bench_streams.h"
#include "engine/cli/files.h"
#include "engine/cli/session.h"
#include "engine/cli/speculation_options.h"
#include "engine/core/percentile.h"

#include <algorithm>
#include <cstdio>

namespace steelyard::cli {

namespace {

struct Options {
    ModelOptions model;
    BenchmarkRequest request;
    bool noCache = false;
    StreamsOptions streams;
    GuessOptions guesses;
    uint32_t chatTokens = 0;
};

std::string line(const char* what, double value, const char* unit) {
    char text[120];
    std::snprintf(text, sizeof text, "%-16s %.2f %s\n", what, value, unit);
    return text;
}

// Room for the prompt, and for all sequences that decode at once, whose last blocks may be nearly empty.
uint32_t contextFor(const BenchmarkRequest& request) {
    const uint64_t alone = uint64_t(request.depth) + std::max(request.promptTokens, request.generatedTokens) + 1;
    constexpr uint64_t kBlockTokens = 32;
    const uint64_t together = (uint64_t(request.depth) + request.generatedTokens + kBlockTokens) * request.parallel;
    return static_cast<uint32_t>(std::min<uint64_t>(std::max(alone, request.parallel > 1 ? together : 0), UINT32_MAX));
}

// Replies or chats as people would ask for them, in place of steps without sampling.
Result<Output> benchReplies(Session& session, const Options& options) {
    Result<Json> report = Error{""};
    if (options.chatTokens > 0) {
        report = benchChats(session, options.chatTokens);
    } else {
        StreamsOptions streams = options.streams;
        streams.parallel = options.request.parallel;
        streams.tokens = options.request.generatedTokens;
        streams.speculation = options.guesses.speculation;
        report = benchStreams(session, streams);
    }
    if (!report) return report.error();
    Output output;
    output.json = std::move(*report);
    output.text = output.json.dump(2) + "\n";
    return output;
}

Result<Output> bench(const Options& options, const CommonOptions& common) {
    LoadRequest load = loadRequestOf(options.model, common);
    BenchmarkRequest request = options.request;
    request.model = load.model;
    request.kvCache = !options.noCache;
    const bool replies = !options.streams.promptFile.empty() || options.chatTokens > 0;
    if (load.contextLength == 0 && !replies) load.contextLength = contextFor(request);
    load.parallel = replies ? std::clamp(request.parallel + 1, kDefaultParallel, kMaxParallel) : request.parallel; // with one that joins
    load.draft = pathOf(options.guesses.draft);
    load.predictor = options.guesses.predictor;
    load.measuresDevices = !replies;
    Session session;
    if (auto loaded = session.load(load); !loaded) return loaded.error();
    if (replies) return benchReplies(session, options);
    const auto result = session.engine().benchmark(request);
    if (!result) return result.error();
    Output output;
    output.json = {{"device", result->device},
                   {"threads", result->threads},
                   {"prefill_tokens_per_second", result->prefillTokensPerSecond},
                   {"decode_tokens_per_second", result->decodeTokensPerSecond},
                   {"first_step_ms", result->firstStepMs},
                   {"load_ms", result->loadMs},
                   {"weights_bytes", result->weightsBytes},
                   {"kv_bytes_per_token", result->kvBytesPerToken}};
    if (result->bandwidthShare > 0) output.json["bandwidth_share"] = result->bandwidthShare;
    if (result->arithmeticShare > 0) output.json["arithmetic_share"] = result->arithmeticShare;
    output.text = "device           " + result->device + ", " + std::to_string(result->threads) + " threads\n";
    output.text += line("prefill", median(result->prefillTokensPerSecond), "tokens/s (median)");
    output.text += line("decode", median(result->decodeTokensPerSecond), "tokens/s (median)");
    if (result->arithmeticShare > 0) output.text += line("arithmetic", 100 * result->arithmeticShare, "% of what the device multiplies at best");
    if (result->bandwidthShare > 0) output.text += line("bandwidth", 100 * result->bandwidthShare, "% of what the device reads at best");
    output.text += line("first step", median(result->firstStepMs), "ms (median)");
    output.text += line("load", result->loadMs, "ms");
    output.text += "weights          " + bytesForPeople(result->weightsBytes) + "\n";
    output.text += "KV per token     " + bytesForPeople(result->kvBytesPerToken) + "\n";
    return output;
}

} // namespace

Work declareBench(CLI::App& app, const CommonOptions& common) {
    auto options = std::make_shared<Options>();
    addModelOptions(app, options->model);
    app.add_option("-p", options->request.promptTokens, "Prompt tokens");
    app.add_option("-n", options->request.generatedTokens, "Generated tokens");
    app.add_option("-d", options->request.depth, "Tokens already in the cache");
    app.add_option("-r", options->request.repetitions, "Repetitions")->check(CLI::Range(1u, 1000u));
    app.add_option("--parallel", options->request.parallel, "Sequences at once")->check(CLI::Range(1u, kMaxParallel));
    app.add_flag("--no-kv-cache", options->noCache, "Read everything again for each token");
    app.add_option("--prompt-file", options->streams.promptFile, "Real replies to this text, --parallel of them at once");
    app.add_option("--join", options->streams.joinTokens, "Tokens of a prompt that joins while the replies stream");
    app.add_option("--chats", options->chatTokens, "Count the chats that the cache holds, against a reservation of so many tokens for each");
    addGuessOptions(app, options->guesses);
    return [options, &common] { return bench(*options, common); };
}

} // namespace steelyard::cli
