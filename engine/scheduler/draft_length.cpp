#include "engine/scheduler/draft_length.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr double kMemory = 0.95;         // weight of a guess after the next one
constexpr uint32_t kLongestPause = 512;  // steps
constexpr uint32_t kTrial = 2;           // guesses after a pause
constexpr double kWorth = 1.02;          // gains below this are noise

// The length with the most tokens per millisecond, where a guess is right with this chance; 0 = none pays.
uint32_t bestLength(uint32_t most, const GuessCosts& costs, double aloneMs, double acceptance) {
    uint32_t best = 0;
    double bestRate = (costs.otherRows + 1) / aloneMs * kWorth, tokens = costs.otherRows + 1.0, chance = 1.0;
    for (uint32_t count = 1; count <= most; ++count) {
        chance *= acceptance;
        tokens += chance;
        const double ms = costs.stepMs(costs.otherRows + 1 + count) + costs.fixedMs + count * costs.tokenMs;
        if (tokens / ms <= bestRate) continue;
        bestRate = tokens / ms;
        best = count;
    }
    return best;
}

} // namespace

uint32_t DraftLength::next(uint32_t most, const GuessCosts& costs) {
    if (most == 0) return 0;
    const double alone = costs.stepMs(costs.otherRows + 1);
    if (alone > 0 && bestLength(most, costs, alone, 1.0) == 0) return 0; // not even if all were right: no trial either
    if (m_pause > 0) {
        if (--m_pause > 0) return 0;
        m_nextPause = std::min(m_nextPause * 2, kLongestPause);
        return std::min(most, kTrial);
    }
    if (alone <= 0) return std::min(most, kTrial); // nothing is known yet
    const uint32_t best = bestLength(most, costs, alone, acceptance());
    if (best == 0) m_pause = m_nextPause;
    else m_nextPause = 16;
    return best;
}

void DraftLength::checked(uint32_t guessed, uint32_t accepted) {
    const auto learn = [&](bool right) {
        m_right = m_right * kMemory + (right ? 1.0 : 0.0);
        m_tried = m_tried * kMemory + 1.0;
    };
    for (uint32_t i = 0; i < accepted; ++i) learn(true);
    if (accepted < guessed) learn(false); // those behind it were not judged
}

} // namespace steelyard
