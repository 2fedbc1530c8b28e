// The stages that drop candidates.
#include "engine/sampling/random.h"
#include "engine/sampling/stage_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace steelyard::stages {

namespace {

size_t minKeep(Values v, size_t place) { return v.size() > place ? static_cast<size_t>(std::clamp(v[place], 1.0, 1e9)) : 1; }

} // namespace

void topNSigma(Values v, Candidates& candidates, const StageContext&) {
    if (v[0] <= 0 || candidates.list.size() < 2) return;
    double sum = 0, squares = 0;
    size_t finite = 0;
    for (const auto& candidate : candidates.list) {
        if (!std::isfinite(candidate.logit)) continue;
        sum += candidate.logit;
        ++finite;
    }
    if (finite == 0) return;
    const double mean = sum / static_cast<double>(finite);
    for (const auto& candidate : candidates.list)
        if (std::isfinite(candidate.logit)) squares += (candidate.logit - mean) * (candidate.logit - mean);
    const double limit = candidates.largestLogit() - v[0] * std::sqrt(squares / static_cast<double>(finite));
    for (auto& candidate : candidates.list)
        if (candidate.logit < limit) candidate.logit = -std::numeric_limits<float>::infinity();
    candidates.sorted = 0;
}

void topK(Values v, Candidates& candidates, const StageContext&) {
    if (v[0] < 1) return;
    const auto k = static_cast<size_t>(std::min(v[0], 1e9));
    if (k >= candidates.list.size()) return;
    candidates.sortFront(k);
    candidates.keepFront(k);
}

void topP(Values v, Candidates& candidates, const StageContext&) {
    if (v[0] >= 1.0) return;
    const float largest = candidates.largestLogit();
    const double total = candidates.mass(largest);
    // In single precision, as the field does it, so that cuts at ties fall alike. Only as much is sorted as needed.
    float mass = 0;
    for (size_t count = 0, ready = 0; count < candidates.list.size(); ++count) {
        if (count >= ready) candidates.sortFront(ready = std::max<size_t>(64, ready * 4));
        mass += static_cast<float>(std::exp(candidates.list[count].logit - static_cast<double>(largest)) / total);
        if (mass >= static_cast<float>(v[0]) && count + 1 >= minKeep(v, 1)) return candidates.keepFront(count + 1);
    }
}

void minP(Values v, Candidates& candidates, const StageContext&) {
    if (v[0] <= 0) return;
    const float limit = static_cast<float>(candidates.largestLogit() + std::log(std::min(v[0], 1.0)));
    auto& list = candidates.list;
    const auto above = static_cast<size_t>(std::count_if(list.begin(), list.end(), [&](const auto& c) { return c.logit >= limit; }));
    const size_t least = minKeep(v, 1);
    if (above < least) {
        candidates.sortFront(least);
        return candidates.keepFront(least);
    }
    list.erase(std::remove_if(list.begin(), list.end(), [&](const auto& c) { return !(c.logit >= limit); }), list.end());
    candidates.sorted = std::min(candidates.sorted, list.size());
}

// Keeps the candidates whose surprise is nearest to the expected one.
void typical(Values v, Candidates& candidates, const StageContext&) {
    if (v[0] >= 1.0) return;
    const auto p = candidates.probabilities();
    double entropy = 0;
    for (const double x : p)
        if (x > 0) entropy -= x * std::log(x);
    std::vector<std::pair<double, size_t>> order(p.size()); // distance and place
    for (size_t i = 0; i < p.size(); ++i) order[i] = {p[i] > 0 ? std::fabs(-std::log(p[i]) - entropy) : INFINITY, i};
    std::vector<Candidate> kept;
    double mass = 0;
    for (size_t i = 0, ready = 0; i < order.size(); ++i) {
        if (i >= ready) { // only as much is sorted as needed
            ready = std::min(order.size(), std::max<size_t>(64, ready * 4));
            const auto from = order.begin() + static_cast<std::ptrdiff_t>(i), to = order.begin() + static_cast<std::ptrdiff_t>(ready);
            if (to != order.end()) std::nth_element(from, to, order.end());
            std::sort(from, to);
        }
        kept.push_back(candidates.list[order[i].second]);
        mass += p[order[i].second];
        if (mass > v[0] && kept.size() >= minKeep(v, 1)) break;
    }
    candidates.list = std::move(kept);
    candidates.sorted = 0;
}

void xtc(Values v, Candidates& candidates, const StageContext& context) {
    if (v[0] <= 0 || v[1] > 0.5 || candidates.list.size() < 2) return;
    if (uniformAt(context.seed, context.position, RandomPurpose::ExcludeTop) >= v[0]) return;
    const float largest = candidates.largestLogit();
    const double limit = v[1] * candidates.mass(largest);
    // At most 1 / threshold candidates can be above it; without a threshold all are.
    size_t above = 0;
    for (size_t ready = 0; above < candidates.list.size(); ++above) {
        if (above >= ready) candidates.sortFront(ready = std::max<size_t>(64, ready * 4));
        if (std::exp(candidates.list[above].logit - static_cast<double>(largest)) < limit) break;
    }
    if (above < 2 || candidates.list.size() - (above - 1) < minKeep(v, 2)) return;
    candidates.list.erase(candidates.list.begin(), candidates.list.begin() + static_cast<std::ptrdiff_t>(above - 1));
    candidates.sorted -= std::min(candidates.sorted, above - 1);
}

void mirostat(Values v, Candidates& candidates, const StageContext& context) {
    const double limit = context.surpriseLimit.value_or(2 * v[0]);
    const float largest = candidates.largestLogit();
    // surprise = log2(mass) - (logit - largest) / ln 2, at most the limit; the best always stays.
    const double lowest = largest + (std::log2(candidates.mass(largest)) - limit) * std::log(2.0);
    auto& list = candidates.list;
    if (!(lowest <= largest)) {
        candidates.sortFront(1);
        return candidates.keepFront(1);
    }
    list.erase(std::remove_if(list.begin(), list.end(), [&](const auto& c) { return c.logit < lowest; }), list.end());
    candidates.sorted = std::min(candidates.sorted, list.size());
}

} // namespace steelyard::stages
