// The stages that make the distribution flatter or steeper.
#include "engine/sampling/stage_functions.h"

#include <algorithm>
#include <cmath>

namespace steelyard::stages {

namespace {

void divide(Candidates& candidates, double temperature) {
    if (temperature <= 0) {
        candidates.sortFront(1);
        return candidates.keepFront(1);
    }
    for (auto& candidate : candidates.list) candidate.logit = static_cast<float>(candidate.logit / temperature);
}

} // namespace

void temperature(Values v, Candidates& candidates, const StageContext&) { divide(candidates, v[0]); }

// The entropy as a share of the most that so many candidates can have, to the exponent, moves t from t - range to t + range.
void dynamicTemperature(Values v, Candidates& candidates, const StageContext&) {
    if (v[1] <= 0) return divide(candidates, v[0]);
    if (candidates.list.size() < 2) return;
    double entropy = 0;
    for (const double p : candidates.probabilities())
        if (p > 0) entropy -= p * std::log(p);
    const double low = std::max(0.0, v[0] - v[1]), high = v[0] + v[1];
    const double share = entropy / std::log(static_cast<double>(candidates.list.size()));
    divide(candidates, low + (high - low) * std::pow(share, v[2]));
}

} // namespace steelyard::stages
