#include "engine/decode/model_draft.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr uint32_t kChunkRows = 128; // read in one go beside a step of the reply

} // namespace

ModelDraft::ModelDraft(DraftResources resources, uint64_t chat) : m_resources(resources), m_chat(chat) {}

ModelDraft::~ModelDraft() {
    m_read.resize(m_sequence.length);
    if (m_chat != 0 && !m_read.empty()) m_resources.prefixes.keep(m_chat, std::move(m_read), {}, m_sequence, false);
    else m_resources.transformer.cache().release(m_sequence);
}

// Takes what was written as far as it is what the reply became. A window may have passed what is needed to go further back
// than that, then all is read again.
void ModelDraft::agreeWith(std::span<const int32_t> ids) {
    const uint32_t common = commonPrefix(m_read, ids);
    if (common < m_sequence.length) {
        m_resources.transformer.cache().release(m_sequence);
        m_read.clear();
        return;
    }
    m_read.resize(common);
    if (common > m_sequence.length) m_resources.transformer.cache().commit(m_sequence, common);
}

Result<std::span<const float>> ModelDraft::step(std::span<const int32_t> ids, uint32_t from, bool wantsLogits) {
    Step step;
    for (uint32_t i = 0; i < ids.size(); ++i) {
        step.ids.push_back(ids[i]);
        step.positions.push_back(static_cast<int32_t>(from + i));
        step.sequences.push_back(0);
    }
    step.tables = {&m_sequence};
    if (wantsLogits) step.outputRows = {static_cast<int32_t>(ids.size()) - 1};
    if (auto done = m_resources.transformer.run(step); !done) return done.error();
    if (wantsLogits) return m_resources.transformer.logits();
    return std::span<const float>();
}

// Reads one chunk of what comes before the last token; whether all of it is read.
Result<bool> ModelDraft::read(const std::vector<int32_t>& ids) {
    const auto end = static_cast<uint32_t>(ids.size()) - 1;
    if (!m_started && m_chat != 0 && ids.size() > 1) {
        m_sequence = m_resources.prefixes.resume(m_chat, ids, false).sequence;
        m_read.assign(ids.begin(), ids.begin() + m_sequence.length);
    }
    m_started = true;
    agreeWith({ids.data(), end});
    const auto from = static_cast<uint32_t>(m_read.size());
    if (from == end) return true;
    const uint32_t to = std::min({end, from + kChunkRows, from + m_resources.transformer.shape().maxRows});
    if (!m_resources.prefixes.makeRoom(m_sequence, to)) return false;
    if (auto done = step({ids.data() + from, to - from}, from, false); !done) return done.error();
    m_resources.transformer.cache().commit(m_sequence, to);
    m_read.insert(m_read.end(), ids.begin() + from, ids.begin() + to);
    return to == end;
}

Result<std::vector<int32_t>> ModelDraft::guess(const std::vector<int32_t>& ids, uint32_t most, const Sampler& sampler) {
    std::vector<int32_t> guesses;
    const auto room = m_resources.transformer.shape().contextTokens;
    if (ids.empty() || ids.size() + most > room) return guesses;
    const auto ready = read(ids);
    if (!ready) return ready.error();
    if (!*ready) return guesses;
    std::vector<int32_t> history = ids;
    Sampler own = sampler; // its state is the reply's until a guess is accepted
    const uint32_t vocabulary = m_resources.transformer.spec().vocabulary;
    while (guesses.size() < most) {
        const auto position = static_cast<uint32_t>(history.size());
        // Room, but not committed: guesses that turn out wrong are written over.
        if (!m_resources.prefixes.makeRoom(m_sequence, position)) break;
        const auto logits = step({&history.back(), 1}, position - 1, true);
        if (!logits) return logits.error();
        m_read.push_back(history.back());
        const int32_t guess = own.choose(logits->subspan(0, vocabulary), history, position);
        if (guess < 0) break;
        own.accept(guess);
        guesses.push_back(guess);
        history.push_back(guess);
    }
    return guesses;
}

} // namespace steelyard
