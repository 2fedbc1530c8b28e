// A hash table from a pair of token ids to its merge: flat and open, since a vocabulary has half a million merges and
// every step of tokenizing asks it.
#pragma once

#include "engine/tokenizer/merge_symbols.h"

#include <bit>

namespace steelyard {

class PairTable {
public:
    PairTable() : PairTable(0) {}
    explicit PairTable(size_t count) : m_slots(std::bit_ceil(count * 2 + 2)) {}

    // Adds a pair; of equal pairs the first stays. At most `count` may be added.
    void add(TokenId left, TokenId right, uint32_t rank, TokenId merged) {
        Slot& slot = m_slots[find(left, right)];
        if (slot.merged < 0) slot = {left, right, rank, merged};
    }

    std::optional<PairMerge> operator()(const Symbol& left, const Symbol& right) const {
        if (left.id < 0 || right.id < 0) return std::nullopt;
        const Slot& slot = m_slots[find(left.id, right.id)];
        if (slot.merged < 0) return std::nullopt;
        return PairMerge{static_cast<double>(slot.rank), slot.merged};
    }

private:
    struct Slot {
        TokenId left = -1, right = -1;
        uint32_t rank = 0;
        TokenId merged = -1; // -1 = empty
    };

    // The pair's slot, or the empty one where it would go.
    size_t find(TokenId left, TokenId right) const {
        uint64_t hash = (static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right)) *
                        0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
        size_t at = hash & (m_slots.size() - 1);
        while (m_slots[at].merged >= 0 && (m_slots[at].left != left || m_slots[at].right != right))
            at = (at + 1) & (m_slots.size() - 1);
        return at;
    }

    std::vector<Slot> m_slots;
};

} // namespace steelyard
