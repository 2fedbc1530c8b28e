// Guesses by the model's own predictor (multi-token prediction): a layer that reads the model's hidden state at a position and the
// token at the next one, and predicts the token after that.
//
// At position p it reads token p and the state at p - 1; for its second and later guesses its own state stands for the model's. What it
// read of true tokens and states stays in a cache of its own; where a state is not known because the model's cache was reused, it
// reads zeros, which costs right guesses but never a right token. Source: DeepSeek-V3 report, section 2.2. Used by the engine thread.
#pragma once

#include "engine/decode/draft.h"

namespace steelyard {

class HeadDraft : public Draft {
public:
    // `chat` as in GenerateRequest: what was read is kept for the chat's next turn.
    HeadDraft(DraftResources resources, uint64_t chat);
    ~HeadDraft() override;
    HeadDraft(const HeadDraft&) = delete;
    HeadDraft& operator=(const HeadDraft&) = delete;

    Result<std::vector<int32_t>> guess(const std::vector<int32_t>& ids, uint32_t most, const Sampler& sampler) override;
    bool wantsHidden() const override { return true; }
    void tookHidden(uint32_t from, std::span<const float> states) override;

private:
    size_t width() const { return m_resources.transformer.spec().embedding; }
    void begin(const std::vector<int32_t>& ids);
    Result<void> step(std::span<const int32_t> ids, uint32_t from, std::span<const float> given, bool wantsLogits);

    DraftResources m_resources;
    uint64_t m_chat;
    CachedSequence m_sequence;
    std::vector<int32_t> m_read;     // what the sequence holds
    std::vector<float> m_states;     // of positions m_statesFrom and up, [positions, embedding]
    uint32_t m_statesFrom = 0;
    bool m_started = false;
};

} // namespace steelyard
