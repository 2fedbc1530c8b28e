// Arithmetic on sizes that come from files or people: every product and sum that could wrap goes through here.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace steelyard {

// a * b, or nothing when it does not fit 64 bits.
inline std::optional<uint64_t> checkedMultiply(uint64_t a, uint64_t b) {
    if (a != 0 && b > std::numeric_limits<uint64_t>::max() / a) return std::nullopt;
    return a * b;
}

// a + b, or nothing when it does not fit 64 bits.
inline std::optional<uint64_t> checkedAdd(uint64_t a, uint64_t b) {
    if (b > std::numeric_limits<uint64_t>::max() - a) return std::nullopt;
    return a + b;
}

// value rounded up to a multiple of alignment (a power of two), or nothing when it does not fit 64 bits.
inline std::optional<uint64_t> checkedAlignUp(uint64_t value, uint64_t alignment) {
    const auto sum = checkedAdd(value, alignment - 1);
    if (!sum) return std::nullopt;
    return *sum & ~(alignment - 1);
}

// value rounded up to a multiple of alignment (a power of two); for sizes that were checked before.
inline uint64_t alignUp(uint64_t value, uint64_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }

} // namespace steelyard
