#include "engine/decode/speculation.h"

#include "engine/scheduler/learned_time.h"

#include <algorithm>
#include <chrono>

namespace steelyard {

namespace {

constexpr uint32_t kTokensBeforeDraft = 8; // a short reply is not worth a second reading of the prompt

} // namespace

Speculation::Speculation(const SpeculationOptions& options, std::unique_ptr<Draft> draft, double draftShare, std::string whyNot)
    : m_options(options), m_draft(std::move(draft)), m_draftShare(draftShare) {
    if (!whyNot.empty() && (options.lookup || m_draft)) {
        m_statistics.whyNot = std::move(whyNot);
        m_draft.reset();
        return;
    }
    if (options.lookup) m_lookup.emplace();
    if (!options.draft) m_draft.reset();
}

std::vector<int32_t> Speculation::guess(const std::vector<int32_t>& ids, uint32_t most, uint32_t vocabulary, const Sampler& sampler, GuessCosts costs) {
    most = std::min(most, m_options.mostTokens);
    if (most == 0) return {};
    std::vector<int32_t> guesses;
    m_lastByLookup = false;
    if (m_lookup) {
        // Where nothing is found nothing is judged, so a pause passes only over what could have been guessed.
        guesses = m_lookup->guess(ids, most);
        if (!guesses.empty()) {
            guesses.resize(std::min<size_t>(guesses.size(), m_options.adapts ? m_lookupLength.next(most, costs) : most));
            m_lastByLookup = !guesses.empty();
        }
    }
    if (guesses.empty() && m_draft && (++m_asked > kTokensBeforeDraft || !m_options.adapts)) guesses = byDraft(ids, most, sampler, costs);
    guesses.erase(std::find_if(guesses.begin(), guesses.end(), [&](int32_t id) { return id < 0 || static_cast<uint32_t>(id) >= vocabulary; }), guesses.end());
    return guesses;
}

std::vector<int32_t> Speculation::byDraft(const std::vector<int32_t>& ids, uint32_t most, const Sampler& sampler, GuessCosts& costs) {
    const double known = m_draftTokenMs > 0 ? m_draftTokenMs : costs.stepMs(1) * m_draftShare;
    costs.tokenMs = known;
    const uint32_t count = m_options.adapts ? m_draftLength.next(most, costs) : most;
    if (count == 0) return {};
    const auto start = std::chrono::steady_clock::now();
    auto guesses = m_draft->guess(ids, count, sampler);
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    m_statistics.draftMs += ms;
    if (!guesses) {
        m_statistics.whyNot = guesses.sentence();
        m_draft.reset();
        return {};
    }
    if (!guesses->empty()) {
        // Some calls also read what the draft has not seen yet, the first one a part of the prompt: that is not what a guess costs.
        double each = ms / static_cast<double>(guesses->size());
        if (known > 0) each = std::min(each, 2 * known);
        m_draftTokenMs = known;
        learnTime(m_draftTokenMs, each);
    }
    return std::move(*guesses);
}

void Speculation::checked(uint32_t guessed, uint32_t accepted) {
    if (guessed == 0) return;
    (m_lastByLookup ? m_lookupLength : m_draftLength).checked(guessed, accepted);
    ++m_statistics.steps;
    m_statistics.guessed += guessed;
    m_statistics.accepted += accepted;
    if (!m_lastByLookup) return;
    m_statistics.lookupGuessed += guessed;
    m_statistics.lookupAccepted += accepted;
}

} // namespace steelyard
