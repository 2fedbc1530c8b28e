// Follows an automaton byte by byte, along all its readings at once.
//
// A place is a set of (state, stack of calls to come back to); places get numbers, and where a byte leads from a place is computed once and
// then looked up, so that walking a whole vocabulary is cheap. Stacks share their tails. What grows without end is bounded:
// calls deeper than kMostDepth are not followed, and a grammar with too many readings at once stops with a sentence. One thread at a time.
#pragma once

#include "engine/grammar/automaton.h"

#include <memory>
#include <unordered_map>

namespace steelyard::grammar {

class Walker {
public:
    static constexpr uint32_t kMostDepth = 500;
    using Place = int32_t;
    static constexpr Place kNowhere = -1;

    explicit Walker(std::shared_ptr<const Automaton> automaton);

    Place start() const { return m_start; }
    // Where a byte leads; kNowhere when the grammar has no such text, or when problem() says so.
    Place step(Place place, uint8_t byte) {
        const int32_t next = m_next[static_cast<size_t>(place) * m_automaton->classCount() + m_automaton->classOf(byte)];
        return next != kUnknown ? next : find(place, m_automaton->classOf(byte));
    }
    bool canEnd(Place place) const { return m_places[static_cast<size_t>(place)].canEnd; }
    // No byte can follow; what can be over then must be over.
    bool isOver(Place place) const { return m_places[static_cast<size_t>(place)].readings.empty(); }

    // Whether so much was remembered that it should be forgotten: forget() drops all places but one, which gets a new number.
    bool isLarge() const { return m_next.size() > kManyEntries; }
    Place forget(Place kept);

    // Why nothing more is followed, or empty.
    const std::string& problem() const { return m_problem; }

private:
    static constexpr int32_t kUnknown = -2;
    static constexpr size_t kManyEntries = 4u << 20, kMostEntries = 8 * kManyEntries;

    struct Reading {
        uint32_t state = 0, stack = 0;
        bool operator==(const Reading&) const = default;
        bool operator<(const Reading& other) const { return state != other.state ? state < other.state : stack < other.stack; }
    };
    struct Held {
        std::vector<Reading> readings; // sorted; only states with edges of bytes
        bool canEnd = false;
    };
    struct Frame {
        uint32_t back = 0, parent = 0, depth = 0;
    };

    Place find(Place place, uint8_t byteClass);
    void follow(Reading reading, Held& held);
    uint32_t pushed(uint32_t back, uint32_t parent);
    Place numberOf(Held held);
    uint32_t copied(const std::vector<Frame>& frames, uint32_t stack, std::unordered_map<uint32_t, uint32_t>& known);

    std::shared_ptr<const Automaton> m_automaton;
    std::vector<Held> m_places;
    std::vector<int32_t> m_next; // [places, classes]
    std::unordered_multimap<uint64_t, Place> m_numbers; // by hash
    std::vector<Frame> m_frames; // 0 is the empty stack
    std::unordered_map<uint64_t, uint32_t> m_frameNumbers;
    std::unordered_map<uint64_t, bool> m_followed; // while one place is found
    std::string m_problem;
    Place m_start = kNowhere;
};

} // namespace steelyard::grammar
