// A hash table from token texts to ids: flat and open, because a load looks up half a million merges. Keeps views; the
// texts must outlive it.
#pragma once

#include "engine/tokenizer/tokenizer.h"

#include <bit>
#include <functional>

namespace steelyard {

class TextTable {
public:
    TextTable() : TextTable(0) {}
    explicit TextTable(size_t count) : m_slots(std::bit_ceil(count * 2 + 2)) {}

    // Adds a text; of equal texts the first stays. At most `count` may be added.
    void add(std::string_view text, TokenId id) {
        const auto hash = hashOf(text);
        Slot& slot = m_slots[find(text, hash)];
        if (slot.id < 0) slot = {text, hash, id};
    }

    // The id of a text, or -1.
    TokenId operator()(std::string_view text) const { return m_slots[find(text, hashOf(text))].id; }

private:
    struct Slot {
        std::string_view text;
        uint32_t hash = 0;
        TokenId id = -1; // -1 = empty
    };

    static uint32_t hashOf(std::string_view text) {
        const uint64_t hash = std::hash<std::string_view>()(text);
        return static_cast<uint32_t>(hash ^ hash >> 32);
    }
    // The text's slot, or the empty one where it would go.
    size_t find(std::string_view text, uint32_t hash) const {
        size_t at = hash & (m_slots.size() - 1);
        while (m_slots[at].id >= 0 && (m_slots[at].hash != hash || m_slots[at].text != text))
            at = (at + 1) & (m_slots.size() - 1);
        return at;
    }

    std::vector<Slot> m_slots;
};

} // namespace steelyard
