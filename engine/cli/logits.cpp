#include "engine/cli/files.h"
#include "engine/cli/session.h"

#include <bit>
#include <fstream>

namespace steelyard::cli {

namespace {

struct Options {
    ModelOptions model;
    std::string ids, out;
    uint32_t from = 0, batch = 0;
};

Result<Output> logits(const Options& options, const CommonOptions& common) {
    static_assert(std::endian::native == std::endian::little, "the file's floats are little-endian");
    ScoreRequest request;
    request.ids = idsOf(options.ids);
    request.from = options.from;
    request.batchRows = options.batch;
    if (request.ids.empty()) throw UsageError{"'logits' needs at least one token id."};
    if (request.from >= request.ids.size()) throw UsageError{"--from must be less than the number of ids."};
    LoadRequest load = loadRequestOf(options.model, common);
    if (load.contextLength == 0) load.contextLength = static_cast<uint32_t>(request.ids.size());
    request.model = load.model;
    Session session;
    if (auto loaded = session.load(load); !loaded) return loaded.error();
    std::ofstream file(pathOf(options.out), std::ios::binary | std::ios::trunc);
    if (!file) return Error{"The file '" + options.out + "' cannot be written."};
    uint64_t rows = 0, columns = 0;
    const auto scored = session.engine().score(request, [&](uint32_t, std::span<const float> row) {
        file.write(reinterpret_cast<const char*>(row.data()), static_cast<std::streamsize>(row.size_bytes()));
        columns = row.size();
        ++rows;
    });
    if (!scored) return scored.error();
    file.close();
    if (!file) return Error{"The file '" + options.out + "' cannot be written."};
    Output output;
    output.json = {{"rows", rows}, {"columns", columns}};
    output.text = std::to_string(rows) + " rows of " + std::to_string(columns) + " logits are in " + options.out + "\n";
    return output;
}

} // namespace

Work declareLogits(CLI::App& app, const CommonOptions& common) {
    auto options = std::make_shared<Options>();
    addModelOptions(app, options->model);
    app.add_option("--ids", options->ids, "Token ids: 1,2,3")->required();
    app.add_option("--out", options->out, "File for the logits: float32, row by row")->required();
    app.add_option("--from", options->from, "First row wanted");
    app.add_option("--batch", options->batch, "Rows computed at once");
    return [options, &common] { return logits(*options, common); };
}

} // namespace steelyard::cli
