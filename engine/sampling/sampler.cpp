#include "engine/sampling/sampler.h"

#include "engine/sampling/random.h"

#include <algorithm>
#include <cmath>

namespace steelyard {

std::vector<SamplingStage> chainOf(const SamplingOptions& options) {
    std::vector<SamplingStage> chain;
    if (options.repeatPenalty != 1.0f && options.repeatLastN != 0)
        chain.push_back({"penalties", {static_cast<double>(options.repeatLastN), options.repeatPenalty, 0.0, 0.0}});
    if (options.temperature <= 0) {
        chain.push_back({"temperature", {0.0}});
        return chain;
    }
    if (options.topK > 0) chain.push_back({"top_k", {static_cast<double>(options.topK)}});
    if (options.topP < 1) chain.push_back({"top_p", {options.topP}});
    if (options.minP > 0) chain.push_back({"min_p", {options.minP}});
    chain.push_back({"temperature", {options.temperature}});
    return chain;
}

Result<void> checkOptions(const SamplingOptions& options) {
    const auto within = [](float value, float low, float high) { return value >= low && value <= high; };
    if (!within(options.temperature, 0, 100)) return Error{"The temperature must be between 0 and 100."};
    if (options.topK < 0) return Error{"Top-k must be 0 (off) or more."};
    if (!within(options.topP, 0, 1)) return Error{"Top-p must be between 0 and 1."};
    if (!within(options.minP, 0, 1)) return Error{"Min-p must be between 0 and 1."};
    if (!within(options.repeatPenalty, 0.01f, 100)) return Error{"The repetition penalty must be between 0.01 and 100."};
    if (options.repeatLastN < -1) return Error{"The penalty's window must be -1 (everything), 0 (off) or more."};
    return {};
}

Sampler::Sampler(const SamplingOptions& options, uint64_t seed) : m_chain(chainOf(options)), m_greedy(m_chain.size() == 1 && options.temperature <= 0), m_seed(seed) {}

int32_t Sampler::choose(std::span<const float> logits, std::span<const int32_t> history, uint32_t position) const {
    if (m_greedy) return static_cast<int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    Candidates candidates(logits);
    for (const auto& stage : m_chain) (void)applyStage(stage, candidates, history); // the chain was made by chainOf
    if (candidates.list.size() == 1) return candidates.list[0].id;
    candidates.sortFront(candidates.list.size()); // a draw must not depend on the order that stages left
    const auto probabilities = candidates.probabilities();
    double rest = uniformAt(m_seed, position, RandomPurpose::Token);
    for (size_t i = 0; i < probabilities.size(); ++i) {
        rest -= probabilities[i];
        if (rest < 0) return candidates.list[i].id;
    }
    return candidates.list.back().id;
}

bool firstNonFinite(std::span<const float> logits, size_t& index) {
    for (index = 0; index < logits.size(); ++index)
        if (!std::isfinite(logits[index])) return true;
    return false;
}

} // namespace steelyard
