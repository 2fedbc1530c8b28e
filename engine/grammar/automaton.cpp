#include "engine/grammar/automaton.h"

#include "engine/core/utf8.h"

#include <algorithm>
#include <optional>

namespace steelyard::grammar {

namespace {

constexpr size_t kMostStates = 300000;
constexpr size_t kCheapCopy = 16; // states that are copied rather than called

// Splits a range, whose ends have the same length, where one of the trailing bytes does not run through all its values.
void addSequences(uint32_t first, uint32_t last, size_t length, std::vector<std::vector<ByteEdge>>& out) {
    for (size_t trailing = 1; trailing < length; ++trailing) {
        const uint32_t low = (1u << (6 * trailing)) - 1;
        if ((first & ~low) == (last & ~low)) break;
        if ((first & low) != 0) {
            addSequences(first, first | low, length, out);
            return addSequences((first | low) + 1, last, length, out);
        }
        if ((last & low) != low) {
            addSequences(first, (last & ~low) - 1, length, out);
            return addSequences(last & ~low, last, length, out);
        }
    }
    std::string from, to;
    appendUtf8(from, first);
    appendUtf8(to, last);
    std::vector<ByteEdge> sequence;
    for (size_t i = 0; i < length; ++i) sequence.push_back({static_cast<uint8_t>(from[i]), static_cast<uint8_t>(to[i]), 0});
    out.push_back(std::move(sequence));
}

} // namespace

std::vector<std::vector<ByteEdge>> byteSequences(const CharacterSet& set) {
    static constexpr uint32_t kEnds[] = {0x7F, 0x7FF, 0xFFFF, kLastCharacter};
    std::vector<std::vector<ByteEdge>> sequences;
    for (const auto& range : set) {
        uint32_t first = range.first;
        for (size_t length = 1; length <= 4 && first <= range.last; ++length) {
            if (first > kEnds[length - 1]) continue;
            const uint32_t last = std::min(range.last, kEnds[length - 1]);
            addSequences(first, last, length, sequences);
            first = last + 1;
        }
    }
    return sequences;
}

// Thompson's construction, with calls for rules. Parts that no text matches are left out.
class AutomatonBuilder {
public:
    explicit AutomatonBuilder(const Rules& rules) : m_rules(rules), m_matchable(rules.matchable()), m_automaton(std::make_shared<Automaton>()) {}

    Result<std::shared_ptr<const Automaton>> build(RuleId root) {
        m_starts.resize(m_rules.ruleCount());
        for (auto& start : m_starts) start = newState();
        m_automaton->m_start = m_starts[root];
        for (RuleId rule = 0; rule < m_rules.ruleCount(); ++rule)
            if (m_matchable[m_rules.bodyOf(rule)]) at(add(m_rules.bodyOf(rule), m_starts[rule])).ends = true;
        if (m_full) return Error{"The grammar is too large: it takes more than " + std::to_string(kMostStates) + " states. Smaller numbers of repetitions may help."};
        markLastCalls();
        findClasses();
        return std::shared_ptr<const Automaton>(m_automaton);
    }

private:
    State& at(uint32_t state) { return m_automaton->m_states[state]; }

    uint32_t newState() {
        auto& states = m_automaton->m_states;
        if (states.size() >= kMostStates) {
            m_full = true;
            return 0; // whatever is added to it now is thrown away
        }
        states.emplace_back();
        return static_cast<uint32_t>(states.size() - 1);
    }

    void link(uint32_t from, uint32_t to) { at(from).empties.push_back(to); }

    // Adds an expression behind a state and gives the state where it is over. The expression can match.
    uint32_t add(ExpressionId id, uint32_t from) {
        if (m_full) return from;
        const Expression& e = m_rules.at(id);
        switch (e.kind) {
        case Expression::Kind::Bytes: return addBytes(e.bytes, from);
        case Expression::Kind::Characters: return addCharacters(e.characters, from);
        case Expression::Kind::Sequence:
            for (const ExpressionId part : e.parts) from = add(part, from);
            return from;
        case Expression::Kind::Choice: {
            const uint32_t end = newState();
            for (const ExpressionId part : e.parts) {
                if (!m_matchable[part]) continue;
                const uint32_t begin = newState();
                link(from, begin);
                link(add(part, begin), end);
            }
            return end;
        }
        case Expression::Kind::Repeat: return addRepeat(e, from);
        case Expression::Kind::Rule: return addCall(m_starts[e.rule], from);
        }
        return from;
    }

    uint32_t addCall(uint32_t start, uint32_t from) {
        const uint32_t back = newState();
        at(from).calls.push_back({start, back});
        return back;
    }

    uint32_t addBytes(const std::string& bytes, uint32_t from) {
        for (const char c : bytes) {
            const uint32_t next = newState();
            at(from).bytes.push_back({static_cast<uint8_t>(c), static_cast<uint8_t>(c), next});
            from = next;
        }
        return from;
    }

    uint32_t addCharacters(const CharacterSet& set, uint32_t from) {
        const uint32_t end = newState();
        for (const auto& sequence : byteSequences(set)) {
            uint32_t state = from;
            for (size_t i = 0; i < sequence.size(); ++i) {
                const uint32_t next = i + 1 < sequence.size() ? newState() : end;
                at(state).bytes.push_back({sequence[i].first, sequence[i].last, next});
                state = next;
            }
        }
        return end;
    }

    uint32_t addRepeat(const Expression& e, uint32_t from) {
        const ExpressionId part = e.parts[0];
        if (!m_matchable[part]) return from; // as often as never
        std::optional<uint32_t> shared; // what is too large to be copied is called
        bool copied = false;
        const auto once = [&](uint32_t state) {
            if (shared) return addCall(*shared, state);
            const size_t before = m_automaton->m_states.size();
            const uint32_t end = add(part, state);
            if (!copied && m_automaton->m_states.size() - before > kCheapCopy) {
                shared = newState();
                at(add(part, *shared)).ends = true;
            }
            copied = true;
            return end;
        };
        uint32_t state = from;
        for (uint32_t i = 0; i < e.least && !m_full; ++i) state = once(state);
        if (!e.most) {
            const uint32_t loop = newState();
            link(state, loop);
            link(once(loop), loop);
            const uint32_t end = newState();
            link(loop, end);
            return end;
        }
        const uint32_t end = newState();
        for (uint32_t i = e.least; i < *e.most && !m_full; ++i) {
            link(state, end);
            const uint32_t begin = newState();
            link(state, begin);
            state = once(begin);
        }
        link(state, end);
        return end;
    }

    // A state from where nothing but the end of its rule can come.
    bool isOver(uint32_t state) {
        std::vector<uint32_t> open{state}, seen{state};
        while (!open.empty()) {
            const State& s = at(open.back());
            open.pop_back();
            if (!s.bytes.empty() || !s.calls.empty() || seen.size() > 64) return false;
            for (const uint32_t next : s.empties)
                if (std::find(seen.begin(), seen.end(), next) == seen.end()) {
                    seen.push_back(next);
                    open.push_back(next);
                }
        }
        return true;
    }

    void markLastCalls() {
        for (auto& state : m_automaton->m_states)
            for (auto& call : state.calls) call.isLast = isOver(call.back);
    }

    void findClasses() {
        std::array<bool, 257> begins{};
        begins[0] = true;
        for (const auto& state : m_automaton->m_states)
            for (const auto& edge : state.bytes) begins[edge.first] = begins[edge.last + 1u] = true;
        for (size_t byte = 0; byte < 256; ++byte) {
            if (begins[byte]) m_automaton->m_examples.push_back(static_cast<uint8_t>(byte));
            m_automaton->m_classes[byte] = static_cast<uint8_t>(m_automaton->m_examples.size() - 1);
        }
    }

    const Rules& m_rules;
    std::vector<bool> m_matchable;
    std::shared_ptr<Automaton> m_automaton;
    std::vector<uint32_t> m_starts;
    bool m_full = false;
};

Result<std::shared_ptr<const Automaton>> Automaton::fromRules(const Rules& rules, RuleId root) { return AutomatonBuilder(rules).build(root); }

} // namespace steelyard::grammar
