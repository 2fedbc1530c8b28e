// Where guesses of the next tokens come from that cost a model's steps.
#pragma once

#include "engine/cache/prefix_cache.h"
#include "engine/core/result.h"
#include "engine/model/transformer.h"
#include "engine/sampling/sampler.h"

#include <vector>

namespace steelyard {

// What a draft works with; outlives it.
struct DraftResources {
    Transformer& transformer;
    PrefixCache& prefixes;
    double share = 0; // of the weights of the model that it guesses for: what a guess costs until one was measured
};

// Used by the engine thread.
class Draft {
public:
    virtual ~Draft() = default;

    // The tokens that may follow `ids`, at most `most`; fewer where there is no room. Empty while it still reads: each call
    // reads one chunk more. An error when the device failed; the draft is then not to be used again. It samples with a copy of the
    // reply's own sampler, so the same random number that chooses the token chooses the guess.
    virtual Result<std::vector<int32_t>> guess(const std::vector<int32_t>& ids, uint32_t most, const Sampler& sampler) = 0;

    // Whether it wants the hidden states of the reply's rows (Transformer::hidden), and those of positions from `from` on.
    virtual bool wantsHidden() const { return false; }
    virtual void tookHidden(uint32_t, std::span<const float>) {}
};

} // namespace steelyard
