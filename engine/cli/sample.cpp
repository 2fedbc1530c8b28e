#include "engine/cli/command.h"
#include "engine/cli/files.h"
#include "engine/sampling/stages.h"

#include <algorithm>
#include <cstdio>

namespace steelyard::cli {

namespace {

// A case: {"logits": [numbers], "chain": [["top_k", 40], ...], "history": [ids]}. In a file of several sets, "logits"
// names one of them, and the case is the only one in "cases".
struct Case {
    std::vector<float> logits;
    std::vector<SamplingStage> chain;
    std::vector<int32_t> history;
};

Result<Case> caseOf(const Json& file) {
    const Error malformed{
        "The case needs \"logits\" (numbers), \"chain\" (pairs of a name and numbers) and may have \"history\" (ids)."};
    if (!file.is_object()) return malformed;
    const bool several = file.contains("cases");
    if (several && (!file["cases"].is_array() || file["cases"].size() != 1))
        return Error{"The file must hold exactly one case."};
    const Json& json = several ? file["cases"][0] : file;
    if (!json.is_object() || !json.contains("logits") || !json.contains("chain") || !json["chain"].is_array())
        return malformed;
    Json logits = json["logits"];
    if (logits.is_string() && several && file.contains("logits") && file["logits"].is_object())
        logits = file["logits"].value(logits.get<std::string>(), Json());
    const Json history = json.contains("history") ? json["history"] : file.value("history", Json::array());
    const auto numbers = [](const Json& list) {
        return list.is_array() &&
               std::all_of(list.begin(), list.end(), [](const Json& item) { return item.is_number(); });
    };
    if (!numbers(logits) || !numbers(history) || logits.empty()) return malformed;
    Case result;
    result.logits = logits.get<std::vector<float>>();
    result.history = history.get<std::vector<int32_t>>();
    for (const auto& stage : json["chain"]) {
        if (!stage.is_array() || stage.empty() || !stage[0].is_string()) return malformed;
        SamplingStage row{stage[0].get<std::string>(), {}};
        for (size_t i = 1; i < stage.size(); ++i) {
            if (stage[i].is_number())
                row.values.push_back(stage[i].get<double>());
            else if (numbers(stage[i]))
                for (const auto& value : stage[i])
                    row.values.push_back(value.get<double>());
            else
                return malformed;
        }
        result.chain.push_back(std::move(row));
    }
    return result;
}

Result<Output> sample(const std::string& name) {
    const auto json = readJson(name);
    if (!json) return json.error();
    const auto given = caseOf(*json);
    if (!given) return given.error();
    Candidates candidates(given->logits);
    for (const auto& stage : given->chain)
        if (auto done = applyStage(stage, candidates, StageContext{given->history}); !done) return done.error();
    const auto probabilities = candidates.probabilities();
    std::vector<std::pair<int32_t, double>> rows;
    for (size_t i = 0; i < candidates.list.size(); ++i)
        rows.emplace_back(candidates.list[i].id, probabilities[i]);
    std::sort(rows.begin(), rows.end());
    Output output;
    auto& list = output.json["candidates"] = Json::array();
    for (const auto& row : rows) {
        list.push_back({{"id", row.first}, {"p", row.second}});
        char line[64];
        std::snprintf(line, sizeof line, "%d %.6f\n", row.first, row.second);
        output.text += line;
    }
    return output;
}

} // namespace

Work declareSample(CLI::App& app, const CommonOptions&) {
    auto file = std::make_shared<std::string>();
    app.add_option("--case", *file, "A JSON file with logits, chain and history; - is stdin")->required();
    return [file] { return sample(*file); };
}

} // namespace steelyard::cli
