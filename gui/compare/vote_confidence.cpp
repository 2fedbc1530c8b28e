#include "gui/compare/vote_confidence.h"

#include <algorithm>
#include <cmath>

namespace steelyard {

ShareRange wilsonRange(int wins, int votes) {
    if (votes <= 0) return {};
    constexpr double kNormal95 = 1.959963984540054;
    const double n = votes, share = std::clamp(wins / n, 0.0, 1.0), z2 = kNormal95 * kNormal95;
    const double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
    const double reach = kNormal95 / (1 + z2 / n) * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
    return {std::max(0.0, middle - reach), std::min(1.0, middle + reach)};
}

double chanceOfLuck(int wins, int losses) {
    const int votes = wins + losses, few = std::min(wins, losses);
    if (votes <= 0) return 1;
    double tail = 0;
    for (int k = 0; k <= few; ++k) // of the binomial distribution, by logarithms so that no factorial overflows
        tail += std::exp(std::lgamma(votes + 1.0) - std::lgamma(k + 1.0) - std::lgamma(votes - k + 1.0) - votes * std::log(2.0));
    return std::min(1.0, 2 * tail);
}

} // namespace steelyard
