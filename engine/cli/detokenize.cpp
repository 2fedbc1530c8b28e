#include "engine/cli/command.h"
#include "engine/cli/files.h"
#include "engine/engine.h"

namespace steelyard::cli {

namespace {

Result<Output> detokenize(const std::string& model, const std::string& ids) {
    auto text = Engine::detokenize(pathOf(model), idsOf(ids));
    if (!text) return text.error();
    Output output;
    output.json["text"] = *text;
    output.text = std::move(*text);
    return output;
}

} // namespace

Work declareDetokenize(CLI::App& app, const CommonOptions&) {
    struct Options {
        std::string model, ids;
    };
    auto options = std::make_shared<Options>();
    app.add_option("MODEL", options->model, "A model file, or one with a vocabulary only")->required();
    app.add_option("--ids", options->ids, "Token ids: 1,2,3")->required();
    return [options] { return detokenize(options->model, options->ids); };
}

} // namespace steelyard::cli
