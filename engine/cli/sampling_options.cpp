#include "engine/cli/sampling_options.h"

namespace steelyard::cli {

void addGenerationOptions(CLI::App& app, GenerationOptions& options) {
    SamplingOptions& sampling = options.sampling;
    app.add_option("--max-tokens", options.maxTokens, "Most tokens of the reply; -1 = until the context is full")
        ->check(CLI::Range(-1, 1 << 30));
    app.add_option("--temperature", sampling.temperature, "0 = always the most probable token")
        ->check(CLI::Range(0.0, 100.0))
        ->each([&options](const std::string&) { options.temperatureGiven = true; });
    app.add_option("--top-k", sampling.topK, "Keep the k most probable tokens; 0 = off")
        ->check(CLI::Range(0, 1 << 30))
        ->each([&options](const std::string&) { options.topKGiven = true; });
    app.add_option("--top-p", sampling.topP, "Keep the most probable tokens up to this sum; 1 = off")
        ->check(CLI::Range(0.0, 1.0))
        ->each([&options](const std::string&) { options.topPGiven = true; });
    app.add_option("--min-p", sampling.minP, "Drop tokens below this share of the best; 0 = off")
        ->check(CLI::Range(0.0, 1.0))
        ->each([&options](const std::string&) { options.minPGiven = true; });
    app.add_option("--repeat-penalty", sampling.repeatPenalty, "Above 1 makes repetition less likely; 1 = off")
        ->check(CLI::Range(0.01, 100.0));
    app.add_option("--repeat-last-n", sampling.repeatLastN, "Tokens that the penalty looks at; -1 = all")
        ->check(CLI::Range(-1, 1 << 30));
    app.add_option("--seed", sampling.seed, "Makes the choice repeatable");
    // One value for each mention; a stop string may hold commas and begin with a dash.
    app.add_option("--stop", options.stop, "End the reply at this text; may be given several times")
        ->take_all()
        ->allow_extra_args(false);
}

SamplingOptions samplingFor(const GenerationOptions& options, const std::optional<SamplingOptions>& advised) {
    SamplingOptions sampling = options.sampling;
    if (!advised) return sampling;
    if (!options.temperatureGiven) sampling.temperature = advised->temperature;
    if (!options.topKGiven) sampling.topK = advised->topK;
    if (!options.topPGiven) sampling.topP = advised->topP;
    if (!options.minPGiven) sampling.minP = advised->minP;
    return sampling;
}

} // namespace steelyard::cli
