// Guesses by looking up: what followed the last few tokens where they stood before, in the prompt or in the reply itself.
//
// The most recent place of the longest of a few lengths counts. Costs a few hash table steps per token and no model. Source: Saxena,
// "Prompt Lookup Decoding". Knows token ids only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace steelyard {

class Lookup {
public:
    // The tokens that may follow `ids`, at most `most`; empty when its end stands nowhere before. `ids` only ever grows between calls.
    std::vector<int32_t> guess(std::span<const int32_t> ids, uint32_t most);

private:
    static constexpr std::array<uint32_t, 3> kLengths{6, 4, 3}; // of an end that is looked up, longest first
    void learn(std::span<const int32_t> ids);

    std::array<std::unordered_map<uint64_t, uint32_t>, kLengths.size()> m_places; // hash of the last tokens: what comes next stands there
    uint32_t m_learned = 0; // places up to here are known
};

} // namespace steelyard
