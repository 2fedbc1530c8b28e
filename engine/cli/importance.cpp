#include "engine/cli/command.h"
#include "engine/cli/files.h"
#include "engine/cli/terminal.h"
#include "engine/evaluate/measure_importance.h"

#include <iostream>

namespace steelyard::cli {

namespace {

struct Options {
    std::string model, output, file;
    uint32_t context = 512;
};

Result<Output> importance(const Options& options, const CommonOptions& common) {
    auto text = readFile(options.file);
    if (!text) return text.error();
    const ImportanceRequest request{pathOf(options.model), pathOf(options.output), std::move(*text), options.file, options.context, common.threads};
    const InterruptFlag interrupt;
    Result<ImportanceResult> result = Error{};
    {
        ProgressLine progressLine;
        const auto progress = [&](size_t done, size_t all) { progressLine.show("window " + std::to_string(done) + " of " + std::to_string(all)); };
        result = measureImportance(request, progress, interrupt.flag());
    }
    if (!result) return result.error();
    for (const auto& notice : result->notices)
        std::cerr << notice << "\n";
    Output output;
    output.json = {{"tensors", result->tensors}, {"tokens", result->tokens}};
    output.text = options.output + " weighs the columns of " + std::to_string(result->tensors) + " tensors, from " + std::to_string(result->tokens) + " tokens\n";
    return output;
}

} // namespace

Work declareImportance(CLI::App& app, const CommonOptions& common) {
    auto options = std::make_shared<Options>();
    app.add_option("MODEL", options->model, "A model file, in as good a type as there is")->required();
    app.add_option("OUT", options->output, "The file to make, for quantize --importance")->required();
    app.add_option("--file", options->file, "Text to read, like what the model will be used for")->required();
    app.add_option("--context", options->context, "Tokens that are read at once")->check(CLI::Range(16u, 1u << 20));
    return [options, &common] { return importance(*options, common); };
}

} // namespace steelyard::cli
