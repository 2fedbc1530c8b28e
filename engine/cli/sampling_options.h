// The options that say how tokens are chosen; the same for all commands that generate.
#pragma once

#include "engine/cli/command.h"
#include "engine/request.h"

namespace steelyard::cli {

struct GenerationOptions {
    SamplingOptions sampling;
    bool temperatureGiven = false, topKGiven = false, topPGiven = false, minPGiven = false; // on the command line
    int32_t maxTokens = -1;
    std::vector<std::string> stop;
};

void addGenerationOptions(CLI::App& app, GenerationOptions& options);

// The options as given, and what suits the model for those that were not.
SamplingOptions samplingFor(const GenerationOptions& options, const std::optional<SamplingOptions>& advised);

} // namespace steelyard::cli
