#include "engine/grammar/walker.h"

#include <algorithm>

namespace steelyard::grammar {

namespace {

constexpr size_t kMostReadings = 20000;

uint64_t keyOf(uint32_t a, uint32_t b) { return static_cast<uint64_t>(a) << 32 | b; }

} // namespace

Walker::Walker(std::shared_ptr<const Automaton> automaton) : m_automaton(std::move(automaton)), m_frames(1) {
    Held held;
    follow({m_automaton->start(), 0}, held);
    m_followed.clear();
    m_start = numberOf(std::move(held));
}

uint32_t Walker::pushed(uint32_t back, uint32_t parent) {
    const auto [place, isNew] = m_frameNumbers.emplace(keyOf(back, parent), static_cast<uint32_t>(m_frames.size()));
    if (isNew) m_frames.push_back({back, parent, m_frames[parent].depth + 1});
    return place->second;
}

// Adds a reading and all that it leads to without a byte.
void Walker::follow(Reading first, Held& held) {
    std::vector<Reading> open{first};
    while (!open.empty()) {
        const Reading reading = open.back();
        open.pop_back();
        if (!m_followed.emplace(keyOf(reading.state, reading.stack), true).second) continue;
        if (m_followed.size() > kMostReadings) {
            m_problem = "The grammar can be read in too many ways at once; rules that say the same in several ways make it slow.";
            return;
        }
        const State& state = m_automaton->state(reading.state);
        if (!state.bytes.empty()) held.readings.push_back(reading);
        for (const uint32_t next : state.empties) open.push_back({next, reading.stack});
        for (const auto& call : state.calls) {
            if (call.isLast) open.push_back({call.start, reading.stack});
            else if (m_frames[reading.stack].depth < kMostDepth) open.push_back({call.start, pushed(call.back, reading.stack)});
        }
        if (!state.ends) continue;
        if (reading.stack == 0) held.canEnd = true;
        else open.push_back({m_frames[reading.stack].back, m_frames[reading.stack].parent});
    }
}

Walker::Place Walker::numberOf(Held held) {
    std::sort(held.readings.begin(), held.readings.end());
    uint64_t hash = held.canEnd ? 1 : 2;
    for (const auto& reading : held.readings) {
        hash = (hash ^ keyOf(reading.state, reading.stack)) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 29;
    }
    const auto [begin, end] = m_numbers.equal_range(hash);
    for (auto found = begin; found != end; ++found) {
        const Held& known = m_places[static_cast<size_t>(found->second)];
        if (known.canEnd == held.canEnd && known.readings == held.readings) return found->second;
    }
    const auto number = static_cast<Place>(m_places.size());
    m_numbers.emplace(hash, number);
    m_places.push_back(std::move(held));
    m_next.resize(m_next.size() + m_automaton->classCount(), kUnknown);
    return number;
}

Walker::Place Walker::find(Place place, uint8_t byteClass) {
    if (!m_problem.empty()) return kNowhere;
    const uint8_t byte = m_automaton->exampleOf(byteClass);
    Held held;
    m_followed.clear();
    for (const auto& reading : m_places[static_cast<size_t>(place)].readings)
        for (const auto& edge : m_automaton->state(reading.state).bytes)
            if (byte >= edge.first && byte <= edge.last) follow({edge.target, reading.stack}, held);
    if (m_next.size() > kMostEntries) m_problem = "The grammar takes too much memory; a simpler one may help.";
    if (!m_problem.empty()) return kNowhere;
    const Place next = held.readings.empty() && !held.canEnd ? kNowhere : numberOf(std::move(held));
    m_next[static_cast<size_t>(place) * m_automaton->classCount() + byteClass] = next;
    return next;
}

uint32_t Walker::copied(const std::vector<Frame>& frames, uint32_t stack, std::unordered_map<uint32_t, uint32_t>& known) {
    std::vector<uint32_t> chain;
    while (stack != 0 && !known.count(stack)) {
        chain.push_back(stack);
        stack = frames[stack].parent;
    }
    uint32_t parent = stack == 0 ? 0 : known[stack];
    for (size_t i = chain.size(); i-- > 0;) known[chain[i]] = parent = pushed(frames[chain[i]].back, parent);
    return parent;
}

Walker::Place Walker::forget(Place kept) {
    Held held = std::move(m_places[static_cast<size_t>(kept)]);
    const std::vector<Frame> frames = std::move(m_frames);
    m_places.clear();
    m_next.clear();
    m_numbers.clear();
    m_frameNumbers.clear();
    m_frames.assign(1, {});
    std::unordered_map<uint32_t, uint32_t> known;
    for (auto& reading : held.readings) reading.stack = copied(frames, reading.stack, known);
    m_start = kNowhere; // it is past
    return numberOf(std::move(held));
}

} // namespace steelyard::grammar
