// Guesses by a smaller model of the same vocabulary, which reads what the reply reads in a cache of its own.
//
// It samples with the reply's own sampler, so the same random number that chooses the token chooses the guess: where both models
// agree about the probabilities, they agree about the token. Its cache keeps guesses only once they were accepted.
// Used by the engine thread.
#pragma once

#include "engine/decode/draft.h"

namespace steelyard {

class ModelDraft : public Draft {
public:
    // `chat` as in GenerateRequest: what the draft model read is kept for the chat's next turn.
    ModelDraft(DraftResources resources, uint64_t chat);
    ~ModelDraft() override;
    ModelDraft(const ModelDraft&) = delete;
    ModelDraft& operator=(const ModelDraft&) = delete;

    Result<std::vector<int32_t>> guess(const std::vector<int32_t>& ids, uint32_t most, const Sampler& sampler) override;

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
