// What a command of the client is: a row of a table, its options, its work. Exit status: 0 done, 1 the work failed (one
// sentence on stderr), 2 wrong usage. With --json exactly one object goes to stdout and nothing else.
#pragma once

#include "engine/core/result.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace steelyard::cli {

using Json = nlohmann::ordered_json;

// Options that every command takes.
struct CommonOptions {
    bool json = false;
    std::string device = "auto";
    uint32_t threads = 0;
};

// The answer of a command: the object for --json, or the same as lines for people.
struct Output {
    Json json;
    std::string text;
};

using Work = std::function<Result<Output>()>;

struct Command {
    const char* name;
    const char* description;
    // Declares options on the subcommand; the returned function does the work after they were read.
    Work (*declare)(CLI::App& app, const CommonOptions& common);
};

// Wrong usage found after the options were read; caught by main alone.
struct UsageError {
    std::string sentence;
};

Work declareDevices(CLI::App&, const CommonOptions&);
Work declareInspect(CLI::App&, const CommonOptions&);
Work declareTokenize(CLI::App&, const CommonOptions&);
Work declareDetokenize(CLI::App&, const CommonOptions&);
Work declareRender(CLI::App&, const CommonOptions&);
Work declareLogits(CLI::App&, const CommonOptions&);
Work declareGenerate(CLI::App&, const CommonOptions&);
Work declareBench(CLI::App&, const CommonOptions&);
Work declareMemory(CLI::App&, const CommonOptions&);
Work declareChat(CLI::App&, const CommonOptions&);
Work declareDequantize(CLI::App&, const CommonOptions&);
Work declareImportance(CLI::App&, const CommonOptions&);
Work declarePerplexity(CLI::App&, const CommonOptions&);
Work declareCompare(CLI::App&, const CommonOptions&);
Work declareQuantize(CLI::App&, const CommonOptions&);
Work declareSample(CLI::App&, const CommonOptions&);

} // namespace steelyard::cli
