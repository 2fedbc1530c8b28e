// The tokens that may come next, as a chain of stages narrows them.
//
// Candidates start as the whole vocabulary; a stage changes logits or removes candidates, and leaves at least one. A
// probability is the softmax over the logits that are left.
#pragma once

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

    // Orders the best `count` to the front, in descending order (equal logits by id).
    void sortFront(size_t count);
    // Keeps the first `count` of the list.
    void keepFront(size_t count);
    float largestLogit() const;
    // Softmax of the logits, in the order of the list.
    std::vector<double> probabilities() const;
};

} // namespace steelyard
