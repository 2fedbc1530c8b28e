// The stages of a sampler chain, each one function over the candidates, and the table that knows them by name.
//
// A stage is data: a name and its numbers. Numbers that switch a stage off leave the candidates alone. Penalties look at
// the last tokens of prompt and reply.
#pragma once

#include "engine/core/result.h"
#include "engine/sampling/candidates.h"

#include <string>
#include <string_view>
#include <vector>

namespace steelyard {

struct SamplingStage {
    std::string name;
    std::vector<double> values;
};

// name                 values
// penalties            last n (0 off, -1 all), repeat (1 off), frequency (0 off), presence (0 off)
// top_k                k (0 off)
// top_p                p (1 off)
// min_p                share of the best probability (0 off)
// typical              mass (1 off). Source: Meister et al., "Locally Typical Sampling"
// top_n_sigma          n (0 off): logits more than n standard deviations below the best get probability 0
// temperature          t; 0 keeps the best alone
// dynamic_temperature  t, range, exponent: t grows with the entropy of the candidates
Result<void> applyStage(const SamplingStage& stage, Candidates& candidates, std::span<const int32_t> history);

// The names of all stages.
std::vector<std::string_view> stageNames();

} // namespace steelyard
