#include "engine/cli/files.h"
#include "engine/cli/messages.h"
#include "engine/cli/sampling_options.h"
#include "engine/cli/session.h"
#include "engine/cli/speculation_options.h"

#include <iostream>

namespace steelyard::cli {

namespace {

constexpr uint64_t kChat = 1; // whose cache a file keeps

struct Options {
    ModelOptions model;
    std::string promptFile, messages, ids, resume, prefillDevice, decodeDevice;
    bool special = false;
    GenerationOptions generation;
    int32_t logprobs = -1;
    GuessOptions guesses;
};

Result<Prompt> promptOf(const Options& options) {
    const int given =
        (options.promptFile.empty() ? 0 : 1) + (options.messages.empty() ? 0 : 1) + (options.ids.empty() ? 0 : 1);
    if (given != 1) throw UsageError{"'generate' needs one of --prompt-file, --messages and --ids."};
    Prompt prompt;
    if (!options.ids.empty()) {
        prompt.kind = Prompt::Kind::Ids;
        prompt.ids = idsOf(options.ids);
    } else {
        auto read = options.messages.empty() ? textPrompt(options.promptFile) : messagesPrompt(options.messages);
        if (!read) return read.error();
        prompt = std::move(*read);
    }
    prompt.special = options.special;
    return prompt;
}

Json probabilityJson(const TokenProbability& token) {
    return {{"id", token.id}, {"text", token.bytes}, {"logprob", token.logprob}};
}

Json logprobsJson(const std::vector<TokenLogprobs>& tokens) {
    Json list = Json::array();
    for (const auto& token : tokens) {
        Json entry = probabilityJson(token.chosen);
        auto& top = entry["top"] = Json::array();
        for (const auto& other : token.top) top.push_back(probabilityJson(other));
        list.push_back(std::move(entry));
    }
    return list;
}

Json replyJson(const GatheredReply& reply, const Session& session) {
    const GenerationStatistics& statistics = reply.finished.statistics;
    Json json = {{"text", reply.text},
                 {"ids", reply.ids},
                 {"stop_reason", stopReasonName(reply.finished.reason)},
                 {"prompt_tokens", statistics.promptTokens},
                 {"reused_tokens", statistics.reusedTokens},
                 {"reused_from_disk", statistics.reusedFromDisk},
                 {"generated_tokens", statistics.generatedTokens},
                 {"dropped_messages", statistics.droppedMessages},
                 {"dropped_tokens", statistics.droppedTokens},
                 {"shifted_tokens", statistics.shiftedTokens},
                 {"ttft_ms", statistics.ttftMs},
                 {"times_ms",
                  {{"queue", statistics.queueMs},
                   {"tokenize", statistics.tokenizeMs},
                   {"reuse", statistics.reuseMs},
                   {"prefill", statistics.prefillMs},
                   {"first_token", statistics.firstTokenMs},
                   {"tokens", reply.timesMs}}},
                 {"itl_ms", {{"p50", statistics.itlP50Ms}, {"p95", statistics.itlP95Ms}}},
                 {"prefill_tokens_per_second", statistics.prefillTokensPerSecond},
                 {"decode_tokens_per_second", statistics.decodeTokensPerSecond},
                 {"seed", statistics.seed},
                 {"speculation", speculationJson(statistics.speculation)},
                 {"device", session.facts().deviceId},
                 {"memory", memoryJson(session.memory())}};
    if (!reply.logprobs.empty()) json["logprobs"] = logprobsJson(reply.logprobs);
    return json;
}

Result<Output> generate(const Options& options, const CommonOptions& common) {
    auto prompt = promptOf(options);
    if (!prompt) return prompt.error();
    Session session;
    LoadRequest load = loadRequestOf(options.model, common);
    load.draft = pathOf(options.guesses.draft);
    load.predictor = options.guesses.predictor;
    load.prefillDevice = options.prefillDevice;
    if (!options.decodeDevice.empty()) load.device = options.decodeDevice;
    if (auto loaded = session.load(load); !loaded) return loaded.error();
    GenerateRequest request;
    request.prompt = std::move(*prompt);
    request.sampling = options.generation.sampling;
    request.maxTokens = options.generation.maxTokens;
    request.stop = options.generation.stop;
    request.overflow = options.generation.overflow;
    request.speculation = options.guesses.speculation;
    if (auto read = readForm(options.generation, request); !read) return read.error();
    request.logprobs = options.logprobs;
    double resumeMs = 0;
    if (!options.resume.empty()) {
        request.chat = kChat;
        resumeMs = session.restoreChat(kChat, pathOf(options.resume));
    }
    const bool streams = !common.json;
    const auto reply = session.generate(
        std::move(request),
        [&](const std::string& piece) {
            if (streams) std::cout << piece << std::flush;
        },
        nullptr);
    if (!reply) return reply.error();
    if (!reply->finished.sentence.empty()) std::cerr << reply->finished.sentence << "\n";
    Output output;
    output.json = replyJson(*reply, session);
    if (!session.facts().prefillDeviceId.empty()) {
        const GenerationStatistics& statistics = reply->finished.statistics;
        output.json["prefill_device"] = session.facts().prefillDeviceId;
        output.json["prefill_ms"] = statistics.prefillMs;
        output.json["transfer"] = {{"ms", statistics.transferMs}, {"tokens", statistics.transferTokens}, {"bytes", statistics.transferBytes}};
    }
    if (!options.resume.empty()) {
        output.json["resume_ms"] = resumeMs;
        if (auto saved = session.saveChat(kChat, pathOf(options.resume)); !saved) return saved.error();
    }
    output.text = "\n"; // the reply itself has been shown already
    return output;
}

} // namespace

Work declareGenerate(CLI::App& app, const CommonOptions& common) {
    auto options = std::make_shared<Options>();
    addModelOptions(app, options->model);
    app.add_option("--prompt-file", options->promptFile, "A file with the text to continue; - is stdin");
    app.add_option("--messages", options->messages, "A JSON conversation to answer");
    app.add_option("--ids", options->ids, "Token ids to continue: 1,2,3");
    app.add_option("--resume", options->resume, "A file that keeps the chat's cache: used when it is there, written at the end");
    app.add_option("--prefill-device", options->prefillDevice, "Another device that reads the prompt and hands it over");
    app.add_option("--decode-device", options->decodeDevice, "The device that answers; the same as --device");
    app.add_flag("--special", options->special, "Read control tokens written in the prompt file");
    addGenerationOptions(app, options->generation);
    app.add_option("--logprobs", options->logprobs, "With --json: how probable each token was, and the n most probable in its place")
        ->check(CLI::Range(0, static_cast<int>(kMostLogprobs)));
    addGuessOptions(app, options->guesses);
    return [options, &common] { return generate(*options, common); };
}

} // namespace steelyard::cli
