// How fast a device reads weights and how fast it multiplies, at best: the measure that replies are held against.
//
// Measured by products of the shape of decoding (one row, 64 and 128 MiB of weights, more than most caches hold) and of prefill (many
// rows); the better of two formats counts, one of 8 bits and one of floats. What the maker promises is another, larger number.
// Takes memory for the moment only. Knows nothing of models.
#pragma once

#include "engine/backend/backend.h"

#include <optional>

namespace steelyard {

struct DeviceLimits {
    double readBytesPerSecond = 0;
    double productsPerSecond = 0; // multiplications, each with its addition
};

// Nothing of the emulator, whose speed says nothing, and of a device without room or that fails. Takes a few tenths of a second.
std::optional<DeviceLimits> measureLimits(Device& device);

} // namespace steelyard
