#include "engine/sampling/candidates.h"

#include "engine/sampling/exponential.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

namespace steelyard {

namespace {

bool better(const Candidate& a, const Candidate& b) { return a.logit != b.logit ? a.logit > b.logit : a.id < b.id; }

constexpr size_t kBlock = 64, kLanes = 16;

// Moves the best `count`, and some more, to the front and says how many; their order is kept. The count-th largest of the blocks'
// maxima is reached by at least `count` candidates, and by few others where the blocks are many: two passes that look at
// each candidate once, instead of a selection that moves them all.
size_t gatherFront(std::vector<Candidate>& list, size_t count) {
    std::vector<float> largest;
    largest.reserve(list.size() / kBlock + 1);
    for (size_t from = 0; from < list.size(); from += kBlock) {
        float most = -std::numeric_limits<float>::infinity();
        for (size_t i = from; i < std::min(from + kBlock, list.size()); ++i) most = list[i].logit > most ? list[i].logit : most;
        largest.push_back(most);
    }
    const auto place = largest.begin() + static_cast<std::ptrdiff_t>(count) - 1;
    std::nth_element(largest.begin(), place, largest.end(), std::greater<float>());
    const float limit = *place;
    size_t front = 0;
    for (size_t i = 0; i < list.size(); ++i)
        if (list[i].logit >= limit) std::swap(list[front++], list[i]);
    return front;
}

} // namespace

Candidates::Candidates(std::span<const float> logits) {
    list.reserve(logits.size());
    for (size_t id = 0; id < logits.size(); ++id)
        if (!std::isnan(logits[id])) list.push_back({static_cast<int32_t>(id), logits[id]});
    if (list.empty()) list.push_back({0, 0.0f});
}

Candidates::Candidates(std::span<const float> logits, std::span<const uint64_t> mask) {
    for (size_t word = 0; word < mask.size(); ++word)
        for (uint64_t bits = mask[word]; bits != 0; bits &= bits - 1) {
            const size_t id = word * 64 + static_cast<size_t>(std::countr_zero(bits));
            if (id < logits.size() && !std::isnan(logits[id])) list.push_back({static_cast<int32_t>(id), logits[id]});
        }
}

void Candidates::sortFront(size_t count) {
    count = std::min(count, list.size());
    if (count <= sorted) return;
    size_t end = list.size();
    if (sorted == 0 && count < list.size() / kBlock / 2) end = gatherFront(list, count);
    const auto first = list.begin() + static_cast<std::ptrdiff_t>(sorted);
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(count);
    const auto last = list.begin() + static_cast<std::ptrdiff_t>(end);
    if (middle != last) std::nth_element(first, middle, last, better);
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
    for (const auto& candidate : list) largest = candidate.logit > largest ? candidate.logit : largest;
    return largest;
}

double Candidates::mass(float largest) const {
    // Sums of single precision stay short, so that what they round off stays below what the exponential does.
    constexpr size_t kRun = kLanes * 64;
    double sum = 0;
    for (size_t from = 0; from < list.size(); from += kRun) {
        const size_t end = std::min(from + kRun, list.size()), whole = from + (end - from) / kLanes * kLanes;
        std::array<float, kLanes> lanes{};
        for (size_t i = from; i < whole; i += kLanes)
            for (size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += exponential(list[i + lane].logit - largest);
        for (const float lane : lanes) sum += lane;
        for (size_t i = whole; i < end; ++i) sum += exponential(list[i].logit - largest);
    }
    return sum;
}

std::vector<double> Candidates::probabilities() const {
    // Where all logits are minus infinity, all are equals.
    const float largest = std::max(largestLogit(), std::numeric_limits<float>::lowest());
    const double total = mass(largest);
    std::vector<double> result(list.size());
    for (size_t i = 0; i < list.size(); ++i)
        result[i] = total > 0 ? exponential(list[i].logit - largest) / total : 1.0 / static_cast<double>(list.size());
    return result;
}

int32_t Candidates::at(double share) {
    const float largest = std::max(largestLogit(), std::numeric_limits<float>::lowest());
    double rest = share * mass(largest);
    for (size_t i = 0, ready = 0; i < list.size(); ++i) {
        if (i >= ready) sortFront(ready = std::max<size_t>(64, ready * 4));
        rest -= exponential(list[i].logit - largest);
        if (rest < 0) return list[i].id;
    }
    // What rounding left over belongs to the last that is possible at all.
    size_t last = list.size() - 1;
    while (last > 0 && list[last].logit == -std::numeric_limits<float>::infinity()) --last;
    return list[last].id;
}

} // namespace steelyard
