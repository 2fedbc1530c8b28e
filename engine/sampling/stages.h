// The stages of a sampler chain, each one function over the candidates, and the table that knows them by name.
//
// A stage is data: a name and its numbers. Numbers that switch a stage off leave the candidates alone. What a stage knows
// besides its numbers stands in the context; the same context gives the same result.
#pragma once

#include "engine/core/result.h"
#include "engine/sampling/candidates.h"
#include "engine/sampling/dry_breakers.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard {

struct SamplingStage {
    std::string name;
    std::vector<double> values;
};

struct StageContext {
    std::span<const int32_t> history{};    // prompt and reply so far
    size_t promptTokens = 0;               // how many of them are the prompt's
    const DryBreakers* breakers = nullptr; // none = repetitions may reach over anything
    uint64_t seed = 0, position = 0;       // of the random numbers
    std::optional<double> surpriseLimit{}; // mirostat's state, in bits; nothing = where it starts
};

// name                 values (those in brackets may be left out)
// penalties            last n (0 off, -1 all), repeat (1 off), frequency (0 off), presence (0 off). Repeat counts prompt and reply
//                      alike; frequency and presence count the reply alone, as the field's servers do
// dry                  multiplier (0 off), base, allowed length, last n (0 off, -1 all). Source: p-e-w, "DRY: A modern repetition
//                      penalty that reliably prevents looping" (text-generation-webui, pull request 5677)
// top_n_sigma          n (0 off): logits more than n standard deviations below the best get probability 0. Source: Tang et al.,
//                      "Top-n-sigma: Not All Logits Are You Need"
// top_k                k (0 off)
// typical              mass (1 off), [min keep]. Source: Meister et al., "Locally Typical Sampling"
// top_p                mass (1 off), [min keep]. Source: Holtzman et al., "The Curious Case of Neural Text Degeneration"
// min_p                share of the best probability (0 off), [min keep]. Source: Nguyen et al., "Turning Up the Heat"
// xtc                  probability (0 off), threshold (above 0.5 off), [min keep]: with this probability all candidates above the
//                      threshold but the least probable of them go. Source: p-e-w, "Exclude Top Choices" (the same, 6335)
// temperature          t; 0 keeps the best alone
// dynamic_temperature  t, range (0 off), exponent: t moves with the entropy of the candidates
// mirostat             tau, eta: drops what surprises more than the state says, which eta moves (sampler.h). Source: Basu et al.,
//                      "Mirostat", second version
Result<void> applyStage(const SamplingStage& stage, Candidates& candidates, const StageContext& context);

// The names of all stages.
std::vector<std::string_view> stageNames();

} // namespace steelyard
