// Chooses the next token: a chain of stages over the logits, then a draw. Knows nothing of models or devices.
#pragma once

#include "engine/request.h"
#include "engine/sampling/stages.h"

#include <span>
#include <vector>

namespace steelyard {

// The chain of a request, in the field's usual order: penalties, top-k, top-p, min-p, temperature.
std::vector<SamplingStage> chainOf(const SamplingOptions& options);

// An error names the option whose value makes no sense.
Result<void> checkOptions(const SamplingOptions& options);

class Sampler {
public:
    // `seed` is the one used, whatever the options say.
    Sampler(const SamplingOptions& options, uint64_t seed);

    // The token for a position. `history` is prompt and reply so far. The same arguments give the same token.
    int32_t choose(std::span<const float> logits, std::span<const int32_t> history, uint32_t position) const;

    uint64_t seed() const { return m_seed; }

private:
    std::vector<SamplingStage> m_chain;
    bool m_greedy; // the best token alone: nothing needs sorting
    uint64_t m_seed;
};

// Whether all logits are numbers; otherwise the id of the first that is not.
bool firstNonFinite(std::span<const float> logits, size_t& index);

} // namespace steelyard
