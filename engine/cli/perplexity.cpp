#include "engine/cli/files.h"
#include "engine/cli/session.h"
#include "engine/cli/terminal.h"
#include "engine/evaluate/perplexity.h"

#include <cstdio>

namespace steelyard::cli {

namespace {

constexpr uint32_t kContext = 512;

struct Options {
    ModelOptions model;
    std::string file, reference;
};

std::string line(const char* what, const char* format, double value) {
    char number[40], text[80];
    std::snprintf(number, sizeof number, format, value);
    std::snprintf(text, sizeof text, "%-22s %s\n", what, number);
    return text;
}

Output outputOf(const PerplexityResult& result) {
    Output output;
    output.json = {{"perplexity", result.perplexity}, {"tokens", result.tokens}};
    output.text = line("perplexity", "%.4f", result.perplexity) + "over " + std::to_string(result.tokens) + " tokens\n";
    if (!result.divergence) return output;
    const Divergence& divergence = *result.divergence;
    output.json["mean_kl"] = divergence.meanKl;
    output.json["kl_p99"] = divergence.klP99;
    output.json["same_top"] = divergence.sameTop;
    output.json["reference_perplexity"] = divergence.referencePerplexity;
    output.text += line("reference's perplexity", "%.4f", divergence.referencePerplexity);
    output.text += line("mean KL", "%.6f", divergence.meanKl) + line("99 % of KL below", "%.6f", divergence.klP99);
    output.text += line("same top token", "%.2f %%", 100 * divergence.sameTop);
    return output;
}

Result<Output> perplexity(const Options& options, const CommonOptions& common) {
    LoadRequest load = loadRequestOf(options.model, common);
    if (load.contextLength == 0) load.contextLength = kContext;
    LoadRequest referenceLoad = load;
    referenceLoad.kvTypeK = referenceLoad.kvTypeV = TensorType::F32; // what the measured model's own type loses is to be seen
    if (!options.reference.empty()) referenceLoad.path = pathOf(options.reference);
    auto text = readFile(options.file);
    if (!text) return text.error();
    const auto referencePath = options.reference.empty() ? std::nullopt : std::optional(referenceLoad.path);
    const auto windows = readWindows(std::move(*text), load.contextLength, load.path, referencePath);
    if (!windows) return windows.error();
    Session session, referenceSession;
    if (auto loaded = session.load(load); !loaded) return loaded.error();
    if (referencePath)
        if (auto loaded = referenceSession.load(referenceLoad); !loaded)
            return Error{"The reference cannot be loaded beside the model. " + loaded.sentence()};
    const MeasuredModel model{session.engine(), load.model}, reference{referenceSession.engine(), referenceLoad.model};
    const InterruptFlag interrupt;
    ProgressLine progressLine;
    const auto progress = [&](const PerplexityProgress& progress) {
        char soFar[24];
        std::snprintf(soFar, sizeof soFar, "%.4f", progress.perplexity);
        progressLine.show("window " + std::to_string(progress.windows) + " of " + std::to_string(progress.allWindows) + ", perplexity " + soFar);
    };
    const auto result = measurePerplexity(model, referencePath ? &reference : nullptr, *windows, progress, interrupt.flag());
    if (!result) return result.error();
    return outputOf(*result);
}

} // namespace

Work declarePerplexity(CLI::App& app, const CommonOptions& common) {
    auto options = std::make_shared<Options>();
    addModelOptions(app, options->model);
    app.add_option("--file", options->file, "Text to predict")->required();
    app.add_option("--reference", options->reference, "Model to compare the distributions with, for instance the file in F16");
    return [options, &common] { return perplexity(*options, common); };
}

} // namespace steelyard::cli
