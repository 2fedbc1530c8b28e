// Guesses by a smaller model of the same vocabulary, which reads what the reply reads in a cache of its own.
//
// It samples with the reply's own sampler, so the same random number that chooses the token chooses the guess: where both models
// agree about the probabilities, they agree about the token. Its cache keeps guesses only once they were accepted.
// Used by the engine thread.
#pragma once

#include "engine/cache/prefix_cache.h"
#include "engine/core/result.h"
#include "engine/model/transformer.h"
#include "engine/sampling/sampler.h"

#include <vector>

namespace steelyard {

// What a draft model works with; outlives the drafts.
struct DraftResources {
    Transformer& transformer;
    PrefixCache& prefixes;
    double share = 0; // of the weights of the model that it guesses for: what a guess costs until one was measured
};

class ModelDraft {
public:
    // `chat` as in GenerateRequest: what the draft model read is kept for the chat's next turn.
    ModelDraft(DraftResources resources, uint64_t chat);
    ~ModelDraft();
    ModelDraft(const ModelDraft&) = delete;
    ModelDraft& operator=(const ModelDraft&) = delete;

    // The tokens that may follow `ids`, at most `most`; fewer where there is no room. Empty while it still reads: each call
    // reads one chunk more. An error when the device failed; the draft is then not to be used again.
    Result<std::vector<int32_t>> guess(const std::vector<int32_t>& ids, uint32_t most, const Sampler& sampler);

private:
    void agreeWith(std::span<const int32_t> ids);
    Result<bool> read(const std::vector<int32_t>& ids);
    Result<std::span<const float>> step(std::span<const int32_t> ids, uint32_t from, bool wantsLogits);

    DraftResources m_resources;
    uint64_t m_chat;
    CachedSequence m_sequence;
    std::vector<int32_t> m_read; // what was written: what the sequence holds, and guesses behind that
    bool m_started = false;
};

} // namespace steelyard
