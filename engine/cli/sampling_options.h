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
    Overflow overflow = Overflow::Stop;
    std::string grammarFile, jsonSchemaFile; // what the reply must be a text of
};

void addGenerationOptions(CLI::App& app, GenerationOptions& options);

// Reads the file of a grammar or a JSON schema into a request.
Result<void> readForm(const GenerationOptions& options, GenerateRequest& request);

// The options as given, and what suits the model for those that were not.
SamplingOptions samplingFor(const GenerationOptions& options, const std::optional<SamplingOptions>& advised);

} // namespace steelyard::cli
