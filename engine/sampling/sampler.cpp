#include "engine/sampling/sampler.h"

#include "engine/sampling/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace steelyard {

namespace {

// Adds the biases; banned tokens leave the list.
void applyBiases(const std::vector<LogitBias>& biases, Candidates& candidates) {
    std::unordered_map<int32_t, float> sums;
    for (const auto& bias : biases) sums[bias.token] += bias.bias;
    candidates.changeEach(sums, [](Candidate& candidate, float bias) { candidate.logit += bias; });
    auto& list = candidates.list;
    list.erase(std::remove_if(list.begin(), list.end(), [](const auto& c) { return c.logit == -std::numeric_limits<float>::infinity(); }), list.end());
}

} // namespace

Sampler::Sampler(const SamplingOptions& options, SamplerSetup setup)
    : m_chain(chainOf(options)), m_biases(options.logitBias), m_setup(std::move(setup)),
      m_greedy(m_chain.size() == 1 && options.temperature <= 0 && m_biases.empty()),
      m_tau(options.temperature > 0 ? options.mirostatTau : 0), m_eta(options.mirostatEta), m_surpriseLimit(2 * m_tau) {
    if (options.dryMultiplier > 0 && m_setup.tokenBytes) m_breakers = std::make_shared<const DryBreakers>(options.dryBreakers, m_setup.tokenBytes);
}

Candidates Sampler::narrowed(std::span<const float> logits, std::span<const int32_t> history, uint32_t position) {
    Candidates candidates = m_setup.form ? Candidates(logits, m_setup.form->mask()) : Candidates(logits);
    if (!m_biases.empty()) applyBiases(m_biases, candidates);
    if (candidates.list.empty()) return candidates;
    const StageContext context{history, std::min(m_setup.promptTokens, history.size()), m_breakers.get(), m_setup.seed, position, m_surpriseLimit};
    for (const auto& stage : m_chain) (void)applyStage(stage, candidates, context); // the chain was made by chainOf
    if (m_tau > 0) {
        m_last.probabilities = candidates.probabilities();
        m_last.ids.clear();
        for (const auto& candidate : candidates.list) m_last.ids.push_back(candidate.id);
    }
    return candidates;
}

int32_t Sampler::choose(std::span<const float> logits, std::span<const int32_t> history, uint32_t position) {
    if (m_greedy) {
        const auto best = static_cast<int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
        // The best of all is the best of those that may come, when it may: no mask is needed.
        if (!m_setup.form || m_setup.form->allows(best)) return best;
    }
    Candidates candidates = narrowed(logits, history, position);
    if (candidates.list.empty()) return -1;
    if (candidates.list.size() == 1) return candidates.list[0].id;
    return candidates.at(uniformAt(m_setup.seed, position, RandomPurpose::Token));
}

Distribution Sampler::distribution(std::span<const float> logits, std::span<const int32_t> history, uint32_t position) {
    if (m_greedy) {
        const int32_t best = choose(logits, history, position);
        return best < 0 ? Distribution{} : Distribution{{best}, {1.0}};
    }
    const Candidates candidates = narrowed(logits, history, position);
    if (m_tau > 0) return m_last;
    Distribution result;
    if (candidates.list.empty()) return result;
    result.probabilities = candidates.probabilities();
    result.ids.reserve(candidates.list.size());
    for (const auto& candidate : candidates.list) result.ids.push_back(candidate.id);
    return result;
}

// Source: Basu et al., "Mirostat", second version: the limit follows the difference of observed and wanted surprise.
void Sampler::accept(int32_t token) {
    if (m_setup.form) (void)m_setup.form->accept(token); // what may not come is never chosen
    if (m_tau <= 0) return;
    const auto place = std::find(m_last.ids.begin(), m_last.ids.end(), token);
    if (place == m_last.ids.end()) return;
    const double p = m_last.probabilities[static_cast<size_t>(place - m_last.ids.begin())];
    m_surpriseLimit -= m_eta * (-std::log2(std::max(p, 1e-30)) - m_tau);
}

std::string Sampler::problem() const {
    const std::string ofForm = m_setup.form ? m_setup.form->problem() : std::string();
    if (!ofForm.empty()) return ofForm;
    return m_setup.form ? "The logit bias bans all tokens that the grammar allows here." : "The logit bias bans all tokens.";
}

bool firstNonFinite(std::span<const float> logits, size_t& index) {
    for (index = 0; index < logits.size(); ++index)
        if (!std::isfinite(logits[index])) return true;
    return false;
}

} // namespace steelyard
