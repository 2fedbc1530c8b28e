#include "engine/decode/lookup.h"

#include "engine/sampling/random.h"

#include <algorithm>

namespace steelyard {

namespace {

// Of the `length` tokens before `end`. Two that are alike only by chance give a wrong guess, which is found out.
uint64_t hashBefore(std::span<const int32_t> ids, uint32_t end, uint32_t length) {
    uint64_t hash = length;
    for (uint32_t i = end - length; i < end; ++i) hash = mixedBits(hash ^ static_cast<uint32_t>(ids[i]));
    return hash;
}

} // namespace

// The end itself is not learned: it would be found as its own place.
void Lookup::learn(std::span<const int32_t> ids) {
    for (; m_learned < ids.size(); ++m_learned)
        for (size_t i = 0; i < kLengths.size(); ++i)
            if (m_learned >= kLengths[i]) m_places[i][hashBefore(ids, m_learned, kLengths[i])] = m_learned;
}

std::vector<int32_t> Lookup::guess(std::span<const int32_t> ids, uint32_t most) {
    const auto size = static_cast<uint32_t>(ids.size());
    if (size == 0) return {};
    learn(ids);
    for (size_t i = 0; i < kLengths.size(); ++i) {
        if (size < kLengths[i]) continue;
        const auto place = m_places[i].find(hashBefore(ids, size, kLengths[i]));
        if (place == m_places[i].end()) continue;
        std::vector<int32_t> guesses;
        // A place near the end repeats: behind the end its own guesses go on.
        for (uint32_t next = place->second; guesses.size() < most; ++next)
            guesses.push_back(next < size ? ids[next] : guesses[next - size]);
        return guesses;
    }
    return {};
}

} // namespace steelyard
