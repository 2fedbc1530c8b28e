// What one sequence holds, or a whole path of the prefix tree: blocks, and the states of recurrent layers at some places of it.
// Numbers, no tensors.
#pragma once

#include "engine/cache/cached_sequence.h"

#include <cstdint>
#include <vector>

namespace steelyard {

struct PlacedState {
    uint32_t length = 0; // the state is that after so many tokens
    uint32_t state = 0;
};

// Every block and state is held once by it. The sequence has no state of its own here; its length is that of the path.
struct HeldPages {
    CachedSequence sequence;
    std::vector<PlacedState> states; // by length, each once
};

} // namespace steelyard
