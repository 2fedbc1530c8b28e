// Copies device memory, in units of 16 bytes.
//
//   to[i] = from[i]   for `units` units; the ranges must not overlap
// Addresses are multiples of 16. Reads from; writes to. Bound by bandwidth.
#pragma once

#include "kernels/ops/op.h"

#include <cstring>

namespace steelyard::ops {

constexpr uint32_t kCopyUnit = 16; // bytes

struct Copy {
    static constexpr const char* name = "copy";
    uint64_t from;
    uint64_t to;
    uint32_t units;
    uint32_t reserved;
};
static_assert(isOp<Copy>);

inline uint32_t items(const Copy& op) { return op.units; }

inline void compute(const Copy& op, uint32_t item) {
    const uint64_t offset = uint64_t(item) * kCopyUnit;
    std::memcpy(at<uint8_t>(op.to + offset), at<const uint8_t>(op.from + offset), kCopyUnit);
}

} // namespace steelyard::ops
