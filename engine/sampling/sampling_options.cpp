// The options of a request: what values make sense, and the chain that they stand for.
#include "engine/sampling/sampler.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace steelyard {

namespace {

struct RealRange {
    float SamplingOptions::* value;
    float low, high;
    const char* sentence;
};
constexpr RealRange kReals[] = {
    {&SamplingOptions::temperature, 0, 100, "The temperature must be between 0 and 100."},
    {&SamplingOptions::temperatureRange, 0, 100, "The range of the dynamic temperature must be between 0 (off) and 100."},
    {&SamplingOptions::temperatureExponent, 0.01f, 100, "The exponent of the dynamic temperature must be between 0.01 and 100."},
    {&SamplingOptions::topP, 0, 1, "Top-p must be between 0 and 1."},
    {&SamplingOptions::minP, 0, 1, "Min-p must be between 0 and 1."},
    {&SamplingOptions::typicalP, 0, 1, "Typical-p must be between 0 and 1."},
    {&SamplingOptions::topNSigma, 0, 1000, "Top-n-sigma must be between 0 (off) and 1000."},
    {&SamplingOptions::xtcProbability, 0, 1, "The XTC probability must be between 0 (off) and 1."},
    {&SamplingOptions::xtcThreshold, 0, 1, "The XTC threshold must be between 0 and 1."},
    {&SamplingOptions::repeatPenalty, 0.01f, 100, "The repetition penalty must be between 0.01 and 100."},
    {&SamplingOptions::frequencyPenalty, -100, 100, "The frequency penalty must be between -100 and 100."},
    {&SamplingOptions::presencePenalty, -100, 100, "The presence penalty must be between -100 and 100."},
    {&SamplingOptions::dryMultiplier, 0, 100, "The DRY multiplier must be between 0 (off) and 100."},
    {&SamplingOptions::dryBase, 1, 100, "The DRY base must be between 1 and 100."},
    {&SamplingOptions::mirostatTau, 0, 100, "Mirostat's tau must be between 0 (off) and 100."},
    {&SamplingOptions::mirostatEta, 0, 1, "Mirostat's eta must be between 0 and 1."},
};

struct WholeRange {
    int32_t SamplingOptions::* value;
    int32_t low;
    const char* sentence;
};
constexpr WholeRange kWholes[] = {
    {&SamplingOptions::topK, 0, "Top-k must be 0 (off) or more."},
    {&SamplingOptions::minKeep, 1, "The candidates that are kept at least must be 1 or more."},
    {&SamplingOptions::repeatLastN, -1, "The penalty's window must be -1 (everything), 0 (off) or more."},
    {&SamplingOptions::dryAllowedLength, 1, "The DRY allowed length must be 1 or more."},
    {&SamplingOptions::dryLastN, -1, "The DRY window must be -1 (everything), 0 (off) or more."},
};

constexpr size_t kMostBiases = 10000, kMostBreakers = 100, kLongestBreaker = 1000;

std::string orderNames() {
    std::string names;
    for (const auto name : kDefaultOrder) names += (names.empty() ? "" : ", ") + std::string(name);
    return names;
}

Result<void> checkLists(const SamplingOptions& options, size_t vocabulary) {
    if (options.logitBias.size() > kMostBiases) return Error{"The logit bias may name at most " + std::to_string(kMostBiases) + " tokens."};
    for (const auto& bias : options.logitBias) {
        if (bias.token < 0 || (vocabulary > 0 && static_cast<size_t>(bias.token) >= vocabulary))
            return Error{"The logit bias names the token " + std::to_string(bias.token) + ", which the vocabulary does not have."};
        if (std::isnan(bias.bias) || bias.bias == INFINITY)
            return Error{"The logit bias of the token " + std::to_string(bias.token) + " must be a number, or minus infinity to ban the token."};
    }
    if (options.dryBreakers.size() > kMostBreakers) return Error{"DRY takes at most " + std::to_string(kMostBreakers) + " breakers."};
    for (const auto& breaker : options.dryBreakers)
        if (breaker.size() > kLongestBreaker) return Error{"A DRY breaker may have at most " + std::to_string(kLongestBreaker) + " bytes."};
    std::set<std::string_view> seen;
    for (const auto& name : options.order) {
        if (std::find(std::begin(kDefaultOrder), std::end(kDefaultOrder), name) == std::end(kDefaultOrder))
            return Error{"The order of samplers has \"" + name.substr(0, 100) + "\"; it may have " + orderNames() + "."};
        if (!seen.insert(name).second) return Error{"The order of samplers has \"" + name + "\" twice."};
    }
    return {};
}

// The stage of a name with the numbers of the options; nothing where they switch it off.
std::optional<SamplingStage> stageOf(std::string_view name, const SamplingOptions& o) {
    const auto keep = static_cast<double>(o.minKeep);
    const bool greedy = o.temperature <= 0, draws = !greedy && o.mirostatTau <= 0; // whether cuts make a difference
    const auto stage = [](bool on, const char* as, std::vector<double> values) {
        return on ? std::optional(SamplingStage{as, std::move(values)}) : std::nullopt;
    };
    if (name == "penalties") {
        const bool on = o.repeatLastN != 0 && (o.repeatPenalty != 1 || o.frequencyPenalty != 0 || o.presencePenalty != 0);
        return stage(on, "penalties", {static_cast<double>(o.repeatLastN), o.repeatPenalty, o.frequencyPenalty, o.presencePenalty});
    }
    if (name == "dry")
        return stage(o.dryMultiplier > 0 && o.dryLastN != 0, "dry",
                     {o.dryMultiplier, o.dryBase, static_cast<double>(o.dryAllowedLength), static_cast<double>(o.dryLastN)});
    if (name == "top_n_sigma") return stage(draws && o.topNSigma > 0, "top_n_sigma", {o.topNSigma});
    if (name == "top_k") return stage(draws && o.topK > 0, "top_k", {static_cast<double>(std::max(o.topK, o.minKeep))});
    if (name == "typical") return stage(draws && o.typicalP < 1, "typical", {o.typicalP, keep});
    if (name == "top_p") return stage(draws && o.topP < 1, "top_p", {o.topP, keep});
    if (name == "min_p") return stage(draws && o.minP > 0, "min_p", {o.minP, keep});
    // XTC drops the best, so it makes a difference to the most probable token too; that is not what temperature 0 asks for.
    if (name == "xtc") return stage(draws && o.xtcProbability > 0 && o.xtcThreshold <= 0.5f, "xtc", {o.xtcProbability, o.xtcThreshold, keep});
    if (greedy) return std::nullopt;
    if (o.temperatureRange > 0) return stage(true, "dynamic_temperature", {o.temperature, o.temperatureRange, o.temperatureExponent});
    return stage(o.temperature != 1, "temperature", {o.temperature});
}

} // namespace

std::vector<SamplingStage> chainOf(const SamplingOptions& options) {
    std::vector<std::string_view> order(std::begin(kDefaultOrder), std::end(kDefaultOrder));
    if (!options.order.empty()) order.assign(options.order.begin(), options.order.end());
    std::vector<SamplingStage> chain;
    for (const auto name : order)
        if (auto stage = stageOf(name, options)) chain.push_back(std::move(*stage));
    if (options.temperature <= 0) chain.push_back({"temperature", {0.0}});
    else if (options.mirostatTau > 0) chain.push_back({"mirostat", {options.mirostatTau, options.mirostatEta}});
    return chain;
}

Result<void> checkOptions(const SamplingOptions& options, size_t vocabulary) {
    for (const auto& row : kReals) {
        const float value = options.*row.value;
        if (!(value >= row.low && value <= row.high)) return Error{row.sentence};
    }
    for (const auto& row : kWholes)
        if (options.*row.value < row.low) return Error{row.sentence};
    return checkLists(options, vocabulary);
}

} // namespace steelyard
