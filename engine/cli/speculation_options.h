// The options that say how tokens are guessed ahead; the same for all commands that generate.
#pragma once

#include "engine/cli/command.h"
#include "engine/event.h"

namespace steelyard::cli {

struct GuessOptions {
    std::string draft; // a model file
    bool predictor = false;
    SpeculationOptions speculation;
};
void addGuessOptions(CLI::App& app, GuessOptions& options);

// What guessing did, as `generate` and `bench` report it.
Json speculationJson(const SpeculationStatistics& statistics);

} // namespace steelyard::cli
