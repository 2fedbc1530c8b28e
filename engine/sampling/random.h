// Random numbers by counter: the same seed, position and purpose give the same number, whatever was drawn before and
// whoever else is in the batch. Source: Steele et al., "Fast Splittable Pseudorandom Number Generators" (the mixer).
#pragma once

#include <cstdint>

namespace steelyard {

inline uint64_t mixedBits(uint64_t value) {
    value += 0x9E3779B97F4A7C15ull;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ull;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBull;
    return value ^ (value >> 31);
}

enum class RandomPurpose : uint64_t { Token = 1, ExcludeTop = 2 };

// Uniform in [0, 1).
inline double uniformAt(uint64_t seed, uint64_t position, RandomPurpose purpose) {
    const uint64_t bits = mixedBits(mixedBits(mixedBits(seed) ^ position) ^ static_cast<uint64_t>(purpose));
    return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

} // namespace steelyard
