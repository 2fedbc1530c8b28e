#include "engine/sampling/stages.h"

#include "engine/sampling/stage_functions.h"

#include <cmath>

namespace steelyard {

namespace {

struct Row {
    std::string_view name;
    size_t least, most; // numbers that it takes
    void (*apply)(stages::Values, Candidates&, const StageContext&);
};

constexpr Row kStages[] = {
    {"penalties", 4, 4, stages::penalties},
    {"dry", 4, 4, stages::dry},
    {"top_n_sigma", 1, 1, stages::topNSigma},
    {"top_k", 1, 1, stages::topK},
    {"typical", 1, 2, stages::typical},
    {"top_p", 1, 2, stages::topP},
    {"min_p", 1, 2, stages::minP},
    {"xtc", 2, 3, stages::xtc},
    {"temperature", 1, 1, stages::temperature},
    {"dynamic_temperature", 3, 3, stages::dynamicTemperature},
    {"mirostat", 2, 2, stages::mirostat},
};

} // namespace

Result<void> applyStage(const SamplingStage& stage, Candidates& candidates, const StageContext& context) {
    for (const auto& row : kStages) {
        if (row.name != stage.name) continue;
        if (stage.values.size() < row.least || stage.values.size() > row.most)
            return Error{"The sampling stage " + stage.name + " takes " + std::to_string(row.least) + " numbers."};
        for (const double value : stage.values)
            if (!std::isfinite(value)) return Error{"The sampling stage " + stage.name + " has a number that is not finite."};
        row.apply(stage.values, candidates, context);
        return {};
    }
    return Error{"There is no sampling stage named \"" + stage.name + "\"."};
}

std::vector<std::string_view> stageNames() {
    std::vector<std::string_view> names;
    for (const auto& row : kStages) names.push_back(row.name);
    return names;
}

} // namespace steelyard
