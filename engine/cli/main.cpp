// steelyard-cli: the engine in a terminal. Each command is one file and one row here.
#include "engine/cli/command.h"

#include <algorithm>
#include <iostream>

namespace steelyard::cli {

namespace {

constexpr Command kCommands[] = {
    {"devices", "List the compute devices in order of preference", declareDevices},
    {"inspect", "Show what a model file holds", declareInspect},
    {"tokenize", "Turn text into token ids", declareTokenize},
    {"detokenize", "Turn token ids into text", declareDetokenize},
    {"render", "Render a chat template", declareRender},
    {"logits", "Write the logits of every position", declareLogits},
    {"generate", "Complete a prompt or answer messages", declareGenerate},
    {"bench", "Measure the speed of a model", declareBench},
    {"memory", "Say what a load would take", declareMemory},
    {"chat", "Talk to a model", declareChat},
    {"dequantize", "Decode raw blocks of a tensor type to float32", declareDequantize},
    {"importance", "Weigh the columns of a model's weights by a text", declareImportance},
    {"perplexity", "Measure how well a model predicts a text", declarePerplexity},
    {"compare", "Put models side by side: answers, speed, quality", declareCompare},
    {"quantize", "Make a model file of another type", declareQuantize},
    {"sample", "Run a sampler chain over given logits", declareSample},
};

constexpr int kFailed = 1, kWrongUsage = 2;

int wrongUsage(const std::string& sentence) {
    std::cerr << sentence << "\n";
    return kWrongUsage;
}

void addCommonOptions(CLI::App& app, CommonOptions& common) {
    app.add_flag("--json", common.json, "Print one JSON object on stdout and nothing else");
    app.add_option("--device", common.device, "auto, cuda, vulkan, cpu or emulated; vulkan:1 picks one by its number")
        ->check([](const std::string& id) {
            const std::string kind = id.substr(0, id.find(':'));
            constexpr const char* kKinds[] = {"auto", "cuda", "vulkan", "cpu", "emulated"};
            const bool known =
                std::any_of(std::begin(kKinds), std::end(kKinds), [&](const char* k) { return kind == k; });
            return known ? std::string()
                         : "there is no device '" + id + "'; auto, cuda, vulkan, cpu and emulated are possible";
        });
    app.add_option("--threads", common.threads, "Worker threads of the processor")->check(CLI::Range(1u, 1024u));
}

int run(const Work& work, const CommonOptions& common) {
    const Result<Output> output = work();
    if (!output) {
        if (common.json)
            std::cout << Json{{"error", output.error().sentence}}.dump(-1, ' ', false, Json::error_handler_t::replace)
                      << "\n";
        std::cerr << output.error().sentence << "\n";
        return kFailed;
    }
    if (common.json)
        std::cout << output->json.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
    else
        std::cout << output->text << std::flush;
    return std::cout.good() ? 0 : kFailed;
}

int runCommands(int count, char** arguments) {
    CLI::App app("Steelyard's engine without a window", "steelyard-cli");
    app.require_subcommand(1);
    app.set_version_flag("--version", STEELYARD_VERSION);
    CommonOptions common;
    std::vector<std::pair<CLI::App*, Work>> works;
    for (const Command& command : kCommands) {
        CLI::App* sub = app.add_subcommand(command.name, command.description);
        addCommonOptions(*sub, common);
        works.emplace_back(sub, command.declare(*sub, common));
    }
    try {
        app.parse(count, arguments);
    } catch (const CLI::CallForHelp&) {
        const auto chosen = app.get_subcommands();
        std::cout << (chosen.empty() ? app.help() : chosen.front()->help());
        return 0;
    } catch (const CLI::CallForVersion&) {
        std::cout << STEELYARD_VERSION << "\n";
        return 0;
    } catch (const CLI::ParseError& error) {
        const auto chosen = app.get_subcommands();
        const std::string help =
            chosen.empty() ? "steelyard-cli --help" : "steelyard-cli " + chosen.front()->get_name() + " --help";
        return wrongUsage(std::string(error.what()) + ". See '" + help + "'.");
    }
    try {
        for (const auto& work : works)
            if (work.first->parsed()) return run(work.second, common);
    } catch (const UsageError& error) {
        return wrongUsage(error.sentence);
    }
    return kWrongUsage;
}

} // namespace

} // namespace steelyard::cli

int main(int count, char** arguments) {
    return steelyard::cli::runCommands(count, arguments);
}
