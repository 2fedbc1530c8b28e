// Numbers as bytes, the lowest first, whatever the machine's own order: what files that are kept hold. Knows nothing of files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace steelyard {

// All bytes of `target`, of the number's lowest.
template <class Number>
void putLittle(std::span<uint8_t> target, Number number) {
    static_assert(std::is_unsigned_v<Number>);
    for (size_t i = 0; i < target.size(); ++i) target[i] = static_cast<uint8_t>(number >> (8 * i));
}

template <class Number>
void appendLittle(std::vector<uint8_t>& bytes, Number number) {
    bytes.resize(bytes.size() + sizeof number);
    putLittle(std::span(bytes).last(sizeof number), number);
}

// The number at a place; the caller knows that it lies within.
template <class Number>
Number littleAt(std::span<const uint8_t> bytes, size_t at) {
    static_assert(std::is_unsigned_v<Number>);
    Number number = 0;
    for (size_t i = 0; i < sizeof number; ++i) number |= static_cast<Number>(static_cast<Number>(bytes[at + i]) << (8 * i));
    return number;
}

} // namespace steelyard
