#include "engine/decode/logprobs.h"

#include "engine/sampling/candidates.h"

#include <algorithm>
#include <cmath>

namespace steelyard {

TokenLogprobs logprobsOf(std::span<const float> logits, int32_t chosen, int32_t top, const Tokenizer& tokenizer) {
    Candidates candidates(logits);
    const float largest = candidates.largestLogit();
    const double logOfSum = largest + std::log(candidates.mass(largest));
    const auto entry = [&](int32_t id, float logit) {
        const bool hasText = static_cast<size_t>(id) < tokenizer.vocabularySize(); // models may have more rows than tokens
        return TokenProbability{id, static_cast<float>(logit - logOfSum), hasText ? tokenizer.bytes(id, false) : std::string()};
    };
    TokenLogprobs result;
    result.chosen = entry(chosen, logits[static_cast<size_t>(chosen)]);
    const auto count = std::min(candidates.list.size(), static_cast<size_t>(std::max(top, 0)));
    candidates.sortFront(count);
    for (size_t i = 0; i < count; ++i) result.top.push_back(entry(candidates.list[i].id, candidates.list[i].logit));
    return result;
}

} // namespace steelyard
