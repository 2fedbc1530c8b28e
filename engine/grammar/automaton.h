// A grammar as states over bytes that may call each other: what a matcher follows.
//
// From every state some text leads to the end of its rule, so that a text that was followed so far can always be finished. Immutable
// once made; any thread.
#pragma once

#include "engine/grammar/rules.h"

#include <array>
#include <memory>

namespace steelyard::grammar {

struct ByteEdge {
    uint8_t first = 0, last = 0;
    uint32_t target = 0;
};
struct CallEdge {
    uint32_t start = 0;  // where the called rule begins
    uint32_t back = 0;   // where it goes on afterwards
    bool isLast = false; // nothing comes after it in the caller: there is no need to come back
};
struct State {
    std::vector<ByteEdge> bytes;
    std::vector<uint32_t> empties; // states that cost no byte
    std::vector<CallEdge> calls;
    bool ends = false;             // of a rule
};

class Automaton {
public:
    // The rules must have passed their check(). An error says that they are too large.
    static Result<std::shared_ptr<const Automaton>> fromRules(const Rules& rules, RuleId root);

    const State& state(uint32_t id) const { return m_states[id]; }
    uint32_t start() const { return m_start; }
    // Bytes that no state tells apart have one class.
    size_t classCount() const { return m_examples.size(); }
    uint8_t classOf(uint8_t byte) const { return m_classes[byte]; }
    uint8_t exampleOf(size_t byteClass) const { return m_examples[byteClass]; }

private:
    friend class AutomatonBuilder;
    std::vector<State> m_states;
    uint32_t m_start = 0;
    std::array<uint8_t, 256> m_classes{};
    std::vector<uint8_t> m_examples;
};

// The byte sequences of a set of characters in UTF-8, as ranges per byte. Source: the Unicode standard, table 3-7.
std::vector<std::vector<ByteEdge>> byteSequences(const CharacterSet& set);

} // namespace steelyard::grammar
