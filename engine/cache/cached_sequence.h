// What one sequence holds of the paged cache: numbers of blocks, no tensors.
#pragma once

#include "kernels/ops/cache_layout.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace steelyard {

// Empty by default. Every block in a table is held once by the sequence.
struct CachedSequence {
    std::vector<std::vector<int32_t>> tables; // [group][entry / 32]; -1 where the window has passed
    uint32_t length = 0;                      // positions written
    std::optional<uint32_t> state;            // of recurrent layers, as it is after `length` positions
};

// The first position that a token at `position` can look at; window 0 = all.
inline uint32_t windowStart(uint32_t window, uint32_t position) {
    return window > 0 && position + 1 > window ? position + 1 - window : 0;
}

} // namespace steelyard
