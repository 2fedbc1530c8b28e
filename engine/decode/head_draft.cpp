#include "engine/decode/head_draft.h"

#include <algorithm>

namespace steelyard {

HeadDraft::HeadDraft(DraftResources resources, uint64_t chat) : m_resources(resources), m_chat(chat) {}

HeadDraft::~HeadDraft() {
    if (m_chat != 0 && !m_read.empty()) m_resources.prefixes.keep(m_chat, std::move(m_read), {}, m_sequence, false);
    else m_resources.transformer.cache().release(m_sequence);
}

void HeadDraft::tookHidden(uint32_t from, std::span<const float> states) {
    const auto end = m_statesFrom + static_cast<uint32_t>(m_states.size() / width());
    if (m_states.empty() || from < m_statesFrom || from > end) {
        m_states.clear();
        m_statesFrom = from;
    }
    m_states.resize((from - m_statesFrom) * width()); // a guess that was wrong had a state too
    m_states.insert(m_states.end(), states.begin(), states.end());
}

Result<void> HeadDraft::step(std::span<const int32_t> ids, uint32_t from, std::span<const float> given, bool wantsLogits) {
    Step step;
    for (uint32_t i = 0; i < ids.size(); ++i) {
        step.ids.push_back(ids[i]);
        step.positions.push_back(static_cast<int32_t>(from + i));
        step.sequences.push_back(0);
    }
    step.tables = {&m_sequence};
    step.given = given;
    if (wantsLogits) step.outputRows = {static_cast<int32_t>(ids.size()) - 1};
    return m_resources.transformer.run(step);
}

// Takes up what the chat's turn before left, and lets go of what is no longer the reply's.
void HeadDraft::begin(const std::vector<int32_t>& ids) {
    if (!m_started && m_chat != 0 && ids.size() > 1) {
        m_sequence = m_resources.prefixes.resume(m_chat, ids, false).sequence;
        m_read.assign(ids.begin(), ids.begin() + m_sequence.length);
    }
    m_started = true;
    if (commonPrefix(m_read, ids) == m_read.size() && m_read.size() < ids.size()) return;
    m_resources.transformer.cache().release(m_sequence);
    m_read.clear();
}

Result<std::vector<int32_t>> HeadDraft::guess(const std::vector<int32_t>& ids, uint32_t most, const Sampler& sampler) {
    std::vector<int32_t> guesses;
    if (ids.empty() || most == 0 || ids.size() + most > m_resources.transformer.shape().contextTokens) return guesses;
    begin(ids);
    const auto from = static_cast<uint32_t>(m_read.size());
    const auto to = std::min(static_cast<uint32_t>(ids.size()), from + m_resources.transformer.shape().maxRows);
    if (!m_resources.prefixes.makeRoom(m_sequence, to)) return guesses;
    std::vector<float> given((to - from) * width(), 0.0f);
    for (uint32_t position = std::max(from, 1u); position < to; ++position) {
        const uint64_t state = position - 1;
        if (state < m_statesFrom || (state - m_statesFrom + 1) * width() > m_states.size()) continue;
        std::copy_n(m_states.begin() + static_cast<std::ptrdiff_t>((state - m_statesFrom) * width()), width(), given.begin() + static_cast<std::ptrdiff_t>((position - from) * width()));
    }
    const bool all = to == ids.size();
    if (auto done = step({ids.data() + from, to - from}, from, given, all); !done) return done.error();
    m_resources.transformer.cache().commit(m_sequence, to);
    m_read.insert(m_read.end(), ids.begin() + from, ids.begin() + to);
    // States of what was read are not needed again, but for the last: the next token is read with it.
    if (to - 1 > m_statesFrom) {
        const size_t passed = std::min(m_states.size(), (to - 1 - m_statesFrom) * width());
        m_states.erase(m_states.begin(), m_states.begin() + static_cast<std::ptrdiff_t>(passed));
        m_statesFrom = to - 1;
    }
    if (!all) return guesses;
    std::vector<int32_t> history = ids;
    Sampler own = sampler; // its state is the reply's until a guess is accepted
    while (true) {
        const auto logits = m_resources.transformer.logits();
        if (!logits) return logits.error();
        const auto position = static_cast<uint32_t>(history.size());
        const int32_t guess = own.choose(logits->subspan(0, m_resources.transformer.spec().vocabulary), history, position);
        if (guess < 0) break;
        own.accept(guess);
        guesses.push_back(guess);
        history.push_back(guess);
        if (guesses.size() == most || !m_resources.prefixes.makeRoom(m_sequence, position + 1)) break;
        const auto state = m_resources.transformer.hidden();
        if (!state) return state.error();
        // Its own state for the model's; not committed: true tokens and states are written over it.
        const std::span<const float> last(state->data() + state->size() - width(), width());
        if (auto done = step({&guess, 1}, position, last, true); !done) return done.error();
    }
    return guesses;
}

} // namespace steelyard
