// Guesses the next tokens of one reply and judges what guessing is worth.
//
// The guesses are rows of the reply's own next step. Each position then chooses its token from its own logits and its own random
// number, as it would alone, and the reply takes tokens up to the first that is not the guess. A guess is a point mass, so this is
// rejection sampling with an exact distribution (Leviathan et al., "Fast Inference from Transformers via Speculative Decoding"):
// it is accepted with the probability that the model gives it, and otherwise the token comes from what is left. With the
// same seed even the tokens are those that come without guessing. Used by the engine thread.
#pragma once

#include "engine/decode/draft.h"
#include "engine/decode/lookup.h"
#include "engine/event.h"
#include "engine/request.h"
#include "engine/scheduler/draft_length.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace steelyard {

class Speculation {
public:
    // `draft` may be null; `draftShare` as in DraftResources. `whyNot`: why guesses cannot be used with this model, or empty.
    Speculation(const SpeculationOptions& options, std::unique_ptr<Draft> draft, double draftShare, std::string whyNot);

    // The tokens that may follow `ids`, at most `most` of a vocabulary of so many. `costs`: what a step of the reply costs.
    std::vector<int32_t> guess(const std::vector<int32_t>& ids, uint32_t most, uint32_t vocabulary, const Sampler& sampler, GuessCosts costs);
    // How many of the last guesses, from the first on, were right, of those that a step checked.
    void checked(uint32_t guessed, uint32_t accepted);

    // What came before is another text now.
    void beginAgain() {
        if (m_lookup) m_lookup.emplace();
    }

    // The hidden states of the reply's rows from position `from` on, where wantsHidden().
    bool wantsHidden() const { return m_draft && m_draft->wantsHidden(); }
    void tookHidden(uint32_t from, std::span<const float> states) { m_draft->tookHidden(from, states); }

    const SpeculationStatistics& statistics() const { return m_statistics; }

private:
    std::vector<int32_t> byDraft(const std::vector<int32_t>& ids, uint32_t most, const Sampler& sampler, GuessCosts& costs);

    SpeculationOptions m_options;
    std::optional<Lookup> m_lookup;
    std::unique_ptr<Draft> m_draft;
    double m_draftShare;
    double m_draftTokenMs = 0; // of one guess; 0 = not measured
    DraftLength m_lookupLength, m_draftLength;
    uint32_t m_asked = 0;
    bool m_lastByLookup = false;
    SpeculationStatistics m_statistics;
};

} // namespace steelyard
