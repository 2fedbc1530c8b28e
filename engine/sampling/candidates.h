// The tokens that may come next, as a chain of stages narrows them.
//
// Candidates start as the whole vocabulary, or as those that a mask allows; a stage changes logits or removes candidates, and
// leaves at least one. A probability is the softmax over the logits that are left. Nothing sorts more than is looked at.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace steelyard {

struct Candidate {
    int32_t id = 0;
    float logit = 0;
};

struct Candidates {
    std::vector<Candidate> list;
    size_t sorted = 0; // how many at the front are in descending order and above all others

    // The whole vocabulary; logits that are not a number are left out.
    explicit Candidates(std::span<const float> logits);
    // Those whose bit is set in `mask` (bit id % 64 of word id / 64); none when no bit is set.
    Candidates(std::span<const float> logits, std::span<const uint64_t> mask);

    // Orders the best `count` to the front, in descending order (equal logits by id).
    void sortFront(size_t count);
    // Keeps the first `count` of the list.
    void keepFront(size_t count);
    float largestLogit() const;
    // Sum over the list of e to the (logit - largest).
    double mass(float largest) const;
    // Softmax of the logits, in the order of the list.
    std::vector<double> probabilities() const;
    // The token at `share` (0 to 1) of the probability, counted from the most probable one.
    int32_t at(double share);
    // Calls `change(candidate, value)` for each token of a map from token to value that is among the candidates.
    template <class Map, class Change>
    void changeEach(const Map& values, Change change) {
        const auto atItsPlace = [&](const auto& entry) {
            const auto place = static_cast<size_t>(entry.first);
            return place < list.size() && list[place].id == entry.first;
        };
        if (std::all_of(values.begin(), values.end(), atItsPlace)) { // as long as the whole vocabulary stands in its order
            for (const auto& entry : values) change(list[static_cast<size_t>(entry.first)], entry.second);
        } else {
            for (auto& candidate : list)
                if (const auto found = values.find(candidate.id); found != values.end()) change(candidate, found->second);
        }
        sorted = 0;
    }
};

} // namespace steelyard
