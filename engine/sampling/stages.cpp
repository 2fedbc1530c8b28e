#include "engine/sampling/stages.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace steelyard {

namespace {

using History = std::span<const int32_t>;
using Values = const std::vector<double>&;

// Divides positive and multiplies negative logits of recent tokens by `repeat`, and takes away frequency and presence.
void penalties(Values v, Candidates& candidates, History history) {
    const auto lastN = static_cast<int64_t>(v[0]);
    const size_t window = lastN < 0 ? history.size() : std::min<size_t>(history.size(), static_cast<size_t>(lastN));
    if (window == 0 || (v[1] == 1.0 && v[2] == 0.0 && v[3] == 0.0)) return;
    std::unordered_map<int32_t, int> counts;
    for (size_t i = history.size() - window; i < history.size(); ++i) ++counts[history[i]];
    for (auto& candidate : candidates.list) {
        const auto found = counts.find(candidate.id);
        if (found == counts.end()) continue;
        const auto repeat = static_cast<float>(v[1]);
        candidate.logit = candidate.logit > 0 ? candidate.logit / repeat : candidate.logit * repeat;
        candidate.logit -= static_cast<float>(found->second * v[2] + v[3]);
    }
    candidates.sorted = 0;
}

void topK(Values v, Candidates& candidates, History) {
    if (v[0] < 1) return;
    const auto k = static_cast<size_t>(std::min(v[0], 1e9));
    if (k >= candidates.list.size()) return;
    candidates.sortFront(k);
    candidates.keepFront(k);
}

void topP(Values v, Candidates& candidates, History) {
    if (v[0] >= 1.0) return;
    const double largest = candidates.largestLogit();
    double total = 0;
    for (const auto& candidate : candidates.list) total += std::exp(candidate.logit - largest);
    // In single precision, as the field does it, so that cuts at ties fall alike. Only as much is sorted as needed.
    float mass = 0;
    for (size_t count = 0, ready = 0; count < candidates.list.size(); ++count) {
        if (count >= ready) candidates.sortFront(ready = std::max<size_t>(64, ready * 4));
        mass += static_cast<float>(std::exp(candidates.list[count].logit - largest) / total);
        if (mass >= static_cast<float>(v[0])) return candidates.keepFront(count + 1);
    }
}

void removeBelow(Candidates& candidates, double limit) {
    auto& list = candidates.list;
    const auto best = *std::max_element(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.logit < b.logit; });
    list.erase(std::remove_if(list.begin(), list.end(), [&](const auto& c) { return c.logit < limit; }), list.end());
    if (list.empty()) list.push_back(best);
    candidates.sorted = std::min(candidates.sorted, list.size());
}

void minP(Values v, Candidates& candidates, History) {
    if (v[0] <= 0) return;
    removeBelow(candidates, candidates.largestLogit() + std::log(std::min(v[0], 1.0)));
}

void typical(Values v, Candidates& candidates, History) {
    if (v[0] >= 1.0) return;
    const auto p = candidates.probabilities();
    double entropy = 0;
    for (const double x : p)
        if (x > 0) entropy -= x * std::log(x);
    std::vector<size_t> order(p.size());
    std::iota(order.begin(), order.end(), size_t(0));
    const auto distance = [&](size_t i) { return p[i] > 0 ? std::fabs(-std::log(p[i]) - entropy) : INFINITY; };
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return distance(a) < distance(b); });
    std::vector<Candidate> kept;
    double mass = 0;
    for (const size_t index : order) {
        kept.push_back(candidates.list[index]);
        mass += p[index];
        if (mass > v[0]) break;
    }
    candidates.list = std::move(kept);
    candidates.sorted = 0;
}

void topNSigma(Values v, Candidates& candidates, History) {
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

void divide(Candidates& candidates, double temperature) {
    if (temperature <= 0) {
        candidates.sortFront(1);
        return candidates.keepFront(1);
    }
    for (auto& candidate : candidates.list) candidate.logit = static_cast<float>(candidate.logit / temperature);
}

void temperature(Values v, Candidates& candidates, History) { divide(candidates, v[0]); }

void dynamicTemperature(Values v, Candidates& candidates, History) {
    if (v[1] <= 0) return divide(candidates, v[0]);
    if (candidates.list.size() < 2) return;
    double entropy = 0;
    for (const double p : candidates.probabilities())
        if (p > 0) entropy -= p * std::log(p);
    const double low = std::max(0.0, v[0] - v[1]), high = v[0] + v[1];
    const double share = entropy / std::log(static_cast<double>(candidates.list.size()));
    divide(candidates, low + (high - low) * std::pow(share, v[2]));
}

struct Row {
    std::string_view name;
    size_t values;
    void (*apply)(Values, Candidates&, History);
};

constexpr Row kStages[] = {
    {"penalties", 4, penalties},
    {"top_k", 1, topK},
    {"top_p", 1, topP},
    {"min_p", 1, minP},
    {"typical", 1, typical},
    {"top_n_sigma", 1, topNSigma},
    {"temperature", 1, temperature},
    {"dynamic_temperature", 3, dynamicTemperature},
};

} // namespace

Result<void> applyStage(const SamplingStage& stage, Candidates& candidates, std::span<const int32_t> history) {
    for (const auto& row : kStages) {
        if (row.name != stage.name) continue;
        if (stage.values.size() != row.values)
            return Error{"The sampling stage " + stage.name + " takes " + std::to_string(row.values) + " numbers."};
        for (const double value : stage.values)
            if (!std::isfinite(value)) return Error{"The sampling stage " + stage.name + " has a number that is not finite."};
        row.apply(stage.values, candidates, history);
        return {};
    }
    return Error{"There is no sampling stage named \"" + stage.name + "\"."};
}

std::vector<std::string_view> stageNames() {
    std::vector<std::string_view> names;
    for (const auto& row : kStages) names.push_back(row.name);
    return names;
}

} // namespace steelyard
