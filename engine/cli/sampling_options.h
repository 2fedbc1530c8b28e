// The options that say how tokens are chosen; the same for all commands that generate.
#pragma once

#include "engine/cli/command.h"
#include "engine/request.h"

namespace steelyard::cli {

struct GenerationOptions {
    SamplingOptions sampling;
    int32_t maxTokens = -1;
    std::vector<std::string> stop;
};

void addGenerationOptions(CLI::App& app, GenerationOptions& options);

} // namespace steelyard::cli
