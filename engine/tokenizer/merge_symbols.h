// Merges neighbouring symbols of a word, the most urgent pair first and the leftmost of equals, until no pair may
// merge: n log n steps for n symbols, whatever the text. Knows nothing of vocabularies; the caller says which pairs
// merge.
#pragma once

#include "engine/tokenizer/tokenizer.h"

#include <queue>

namespace steelyard {

struct Symbol {
    size_t from, to; // bytes of the word
    TokenId id;      // -1 when the bytes are no token
};

struct PairMerge {
    double priority; // smaller merges sooner
    TokenId id;      // of the merged symbol
};

// `mergeOf(left, right)` gives an optional<PairMerge>.
template <class MergeOf>
void mergeSymbols(std::vector<Symbol>& symbols, const MergeOf& mergeOf) {
    struct Candidate {
        double priority;
        uint32_t left, right;
        TokenId id;
        size_t from, to;
    };
    const auto later = [](const Candidate& a, const Candidate& b) {
        return a.priority != b.priority ? a.priority > b.priority : a.left > b.left;
    };
    const auto count = static_cast<uint32_t>(symbols.size());
    constexpr uint32_t kNone = UINT32_MAX;
    std::vector<uint32_t> previous(count), next(count);
    std::priority_queue<Candidate, std::vector<Candidate>, decltype(later)> queue(later);
    const auto consider = [&](uint32_t left, uint32_t right) {
        if (left == kNone || right == kNone) return;
        if (const auto merge = mergeOf(symbols[left], symbols[right]))
            queue.push({merge->priority, left, right, merge->id, symbols[left].from, symbols[right].to});
    };
    for (uint32_t i = 0; i < count; ++i) {
        previous[i] = i == 0 ? kNone : i - 1;
        next[i] = i + 1 == count ? kNone : i + 1;
    }
    for (uint32_t i = 0; i + 1 < count; ++i)
        consider(i, i + 1);
    while (!queue.empty()) {
        const Candidate best = queue.top();
        queue.pop();
        // Stale: one of the two has merged with another since. A merged-away symbol is empty.
        Symbol& left = symbols[best.left];
        Symbol& right = symbols[best.right];
        if (left.from == left.to || right.from == right.to || next[best.left] != best.right || left.from != best.from ||
            right.to != best.to)
            continue;
        left.to = right.to;
        left.id = best.id;
        right.from = right.to;
        next[best.left] = next[best.right];
        if (next[best.left] != kNone) previous[next[best.left]] = best.left;
        consider(previous[best.left], best.left);
        consider(best.left, next[best.left]);
    }
    std::erase_if(symbols, [](const Symbol& symbol) { return symbol.from == symbol.to; });
}

} // namespace steelyard
