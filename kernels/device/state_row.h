// A row of a sequence's state, or of what acts on it, in the registers of a warp while the rows of a run pass by: lane l holds
// the values l, l + 32, ... Those beyond the row's width are zero.
#pragma once

#include "kernels/launch.h"

namespace steelyard::kernels {

// Values of a lane at most.
constexpr uint32_t kMaxStateValues = 8;

template <uint32_t count>
struct StateRow {
    float values[count] = {};

    template <class AnyThread>
    __device__ void load(const AnyThread& thread, const float* row, uint32_t width) {
        for (uint32_t i = 0; i < count; ++i) values[i] = i * 32 + thread.lane() < width ? row[i * 32 + thread.lane()] : 0.0f;
    }
    template <class AnyThread>
    __device__ void store(const AnyThread& thread, float* row, uint32_t width) const {
        for (uint32_t i = 0; i < count; ++i)
            if (i * 32 + thread.lane() < width) row[i * 32 + thread.lane()] = values[i];
    }
};

// Calls start.template operator()<count>() with the fewest values of a lane that hold a row of `width`; false when none do.
template <uint32_t count = 1, class Start>
bool withStateValues(uint32_t width, Start&& start) {
    if (width <= count * 32) {
        start.template operator()<count>();
        return true;
    }
    if constexpr (count < kMaxStateValues) return withStateValues<count * 2>(width, start);
    else return false;
}

} // namespace steelyard::kernels
