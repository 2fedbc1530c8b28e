#include "engine/cli/command.h"
#include "engine/cli/files.h"
#include "engine/tokenizer/tokenizer.h"

namespace steelyard::cli {

namespace {

struct Options {
    std::string model, textFile, texts;
    bool special = false, addBos = false;
};

std::string lineOf(const std::vector<TokenId>& ids) {
    std::string line;
    for (const TokenId id : ids)
        line += (line.empty() ? "" : ",") + std::to_string(id);
    return line + "\n";
}

Result<Output> tokenize(const Options& options) {
    if (options.textFile.empty() == options.texts.empty())
        throw UsageError{"'tokenize' needs either --text-file or --texts."};
    const auto file = GgufFile::open(pathOf(options.model));
    if (!file) return file.error();
    const auto tokenizer = Tokenizer::fromFile(*file);
    if (!tokenizer) return tokenizer.error();
    const auto idsOfText = [&](const std::string& text) {
        auto ids = (*tokenizer)->tokenize(text, options.special);
        const auto& bos = (*tokenizer)->special().bos;
        if (options.addBos && bos && (ids.empty() || ids.front() != *bos)) ids.insert(ids.begin(), *bos);
        return ids;
    };
    Output output;
    if (!options.textFile.empty()) {
        const auto text = readFile(options.textFile);
        if (!text) return text.error();
        const auto ids = idsOfText(*text);
        output.json["ids"] = ids;
        output.text = lineOf(ids);
        return output;
    }
    const auto texts = readJson(options.texts);
    if (!texts) return texts.error();
    if (!texts->is_array()) return Error{"'" + options.texts + "' must be a JSON array of texts."};
    auto& lists = output.json["ids"] = Json::array();
    for (const auto& text : *texts) {
        if (!text.is_string()) return Error{"'" + options.texts + "' must hold texts only."};
        const auto ids = idsOfText(text.get_ref<const std::string&>());
        output.text += lineOf(ids);
        lists.push_back(ids);
    }
    return output;
}

} // namespace

Work declareTokenize(CLI::App& app, const CommonOptions&) {
    auto options = std::make_shared<Options>();
    app.add_option("MODEL", options->model, "A model file, or one with a vocabulary only")->required();
    app.add_option("--text-file", options->textFile, "A file with one text; - is stdin");
    app.add_option("--texts", options->texts, "A JSON array of texts");
    app.add_flag("--special", options->special, "Read control tokens written in the text");
    app.add_flag("--add-bos", options->addBos, "Put the begin token first");
    return [options] { return tokenize(*options); };
}

} // namespace steelyard::cli
