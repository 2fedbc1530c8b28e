// The cosines and sines of a step's positions, kept from op to op: all layers of a step turn by the same angles, and a
// model has at most a few kinds of them. Same formula as the scalar definition. Knows nothing of threads.
#pragma once

#include "kernels/ops/rotary.h"

#include <cstdint>
#include <vector>

namespace steelyard::cpu {

class RotaryTurns {
public:
    // Per row [dimensions / 2] cosines, then as many sines; valid until the next call.
    const float* of(const ops::Rotary& op);

private:
    static constexpr size_t kKept = 4;
    struct Entry {
        ops::Rotary key{};
        std::vector<int32_t> positions;
        std::vector<float> factors, turns;
        uint64_t used = 0;
    };
    static void fill(Entry& entry);

    std::vector<Entry> m_entries;
    uint64_t m_uses = 0;
};

} // namespace steelyard::cpu
