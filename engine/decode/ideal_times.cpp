#include "engine/decode/ideal_times.h"

#include <algorithm>

namespace steelyard {

void IdealTimes::tellShares(GenerationStatistics& statistics) const {
    const uint32_t read = statistics.promptTokens - std::min(statistics.reusedTokens, statistics.promptTokens);
    const bool readHere = statistics.transferTokens == 0;
    if (readHere && statistics.prefillMs > 0) statistics.prefillArithmeticShare = read * promptTokenMs / statistics.prefillMs;
    if (statistics.generatedTokens < 2 || statistics.decodeTokensPerSecond <= 0) return;
    const uint32_t after = statistics.generatedTokens - 1; // the first comes out of the prompt
    const double took = after * 1000.0 / statistics.decodeTokensPerSecond;
    const uint32_t steps = std::max(1u, after - std::min(statistics.speculation.accepted, after));
    const double cached = statistics.promptTokens + 0.5 * statistics.generatedTokens;
    if (stepMs > 0) statistics.decodeBandwidthShare = steps * (stepMs + cached * cachedTokenMs) / took;
}

} // namespace steelyard
