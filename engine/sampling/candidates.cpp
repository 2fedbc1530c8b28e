#include "engine/sampling/candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace steelyard {

namespace {

bool better(const Candidate& a, const Candidate& b) { return a.logit != b.logit ? a.logit > b.logit : a.id < b.id; }

} // namespace

Candidates::Candidates(std::span<const float> logits) {
    list.reserve(logits.size());
    for (size_t id = 0; id < logits.size(); ++id)
        if (!std::isnan(logits[id])) list.push_back({static_cast<int32_t>(id), logits[id]});
    if (list.empty()) list.push_back({0, 0.0f});
}

void Candidates::sortFront(size_t count) {
    count = std::min(count, list.size());
    if (count <= sorted) return;
    const auto first = list.begin() + static_cast<std::ptrdiff_t>(sorted);
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(count);
    if (middle != list.end()) std::nth_element(first, middle, list.end(), better);
    std::sort(first, middle, better);
    sorted = count;
}

void Candidates::keepFront(size_t count) {
    if (count < list.size()) list.resize(std::max<size_t>(count, 1));
    sorted = std::min(sorted, list.size());
}

float Candidates::largestLogit() const {
    if (sorted > 0) return list.front().logit;
    float largest = -std::numeric_limits<float>::infinity();
    for (const auto& candidate : list) largest = std::max(largest, candidate.logit);
    return largest;
}

std::vector<double> Candidates::probabilities() const {
    const double largest = largestLogit();
    std::vector<double> result(list.size());
    double sum = 0;
    for (size_t i = 0; i < list.size(); ++i) sum += result[i] = list[i].logit == largest ? 1.0 : std::exp(list[i].logit - largest);
    for (double& p : result) p /= sum;
    return result;
}

} // namespace steelyard
