#include "engine/cli/command.h"
#include "engine/cli/files.h"
#include "engine/cli/terminal.h"
#include "engine/engine.h"
#include "engine/quant/recipes.h"

#include <cstdio>
#include <iostream>

namespace steelyard::cli {

namespace {

struct Options {
    std::string input, output, type, importance;
    bool keepPartial = false;
};

Output outputOf(const QuantizeResult& result, const std::string& place) {
    Output output;
    output.json = {{"input_bytes", result.inputBytes},
                   {"output_bytes", result.outputBytes},
                   {"resumed_bytes", result.resumedBytes},
                   {"bits_per_weight", result.bitsPerWeight},
                   {"tensors_by_type", result.tensorsByType}};
    char bits[24];
    std::snprintf(bits, sizeof bits, "%.2f", result.bitsPerWeight);
    output.text = place + " has " + bytesForPeople(result.outputBytes) + " (before: " + bytesForPeople(result.inputBytes) + "), " + bits +
                  " bits per weight\n";
    for (const auto& row : result.tensorsByType)
        output.text += "  " + row.first + ": " + std::to_string(row.second) + (row.second == 1 ? " tensor\n" : " tensors\n");
    return output;
}

Result<Output> quantize(const Options& options, const CommonOptions& common) {
    if (const auto recipe = recipeOf(options.type); !recipe) throw UsageError{recipe.sentence()};
    const QuantizeRequest request{pathOf(options.input), pathOf(options.output), options.type, common.threads, pathOf(options.importance),
                                  options.keepPartial};
    const InterruptFlag interrupt;
    Result<QuantizeResult> result = Error{};
    {
        ProgressLine progressLine;
        const auto progress = [&](float fraction) { progressLine.show(std::to_string(static_cast<int>(fraction * 100)) + " %"); };
        result = Engine::quantize(request, progress, interrupt.flag());
    }
    if (!result) return result.error();
    for (const auto& notice : result->notices)
        std::cerr << notice << "\n";
    return outputOf(*result, options.output);
}

} // namespace

Work declareQuantize(CLI::App& app, const CommonOptions& common) {
    auto options = std::make_shared<Options>();
    app.add_option("IN", options->input, "A model file; of a split model any part")->required();
    app.add_option("OUT", options->output, "The file to make")->required();
    app.add_option("TYPE", options->type, "The kind of file, such as Q8_0, Q6_K, Q4_K_M or Q2_K")->required();
    app.add_option("--importance", options->importance, "A file that says how much each column counts (an \"imatrix\")")->type_name("FILE");
    app.add_flag("--keep-partial", options->keepPartial, "When interrupted, keep what is done, for the same command to go on with");
    return [options, &common] { return quantize(*options, common); };
}

} // namespace steelyard::cli
