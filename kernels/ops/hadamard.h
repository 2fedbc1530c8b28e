// Turns rows by a Hadamard matrix, block by block: a rotation that spreads what stands out in one dimension over the whole block,
// so that a few bits for each value lose less (engine/cache/README.md). It is its own inverse.
//
//   x  float [rows, columns], changed in place: each run of `block` values becomes H x / sqrt(block), where
//      H[i][j] = -1 to the number of ones that i and j have in common
//   block  a power of two, at most kLargestHadamard, that divides columns
// An item is one run. The sums are those of the butterfly: distances 1, 2, 4 and so on. Reads and writes x. Bound by latency.
// Source: Ashkboos et al., "QuaRot: Outlier-Free 4-Bit Inference in Rotated LLMs".
#pragma once

#include "kernels/ops/op.h"

#include <cmath>

namespace steelyard::ops {

constexpr uint32_t kLargestHadamard = 256;

struct Hadamard {
    static constexpr const char* name = "hadamard";
    uint64_t x;
    uint32_t rows;
    uint32_t columns;
    uint32_t block;
    uint32_t reserved;
};
static_assert(isOp<Hadamard>);

// The largest block that divides all of some head sizes.
inline uint32_t hadamardBlock(uint32_t dims) {
    uint32_t block = 1;
    while (block < kLargestHadamard && dims % (block * 2) == 0) block *= 2;
    return block;
}

inline uint32_t items(const Hadamard& op) { return op.rows * (op.columns / op.block); }

inline void compute(const Hadamard& op, uint32_t item) {
    float* x = at<float>(op.x) + uint64_t(item) * op.block;
    for (uint32_t distance = 1; distance < op.block; distance *= 2)
        for (uint32_t first = 0; first < op.block; first += 2 * distance)
            for (uint32_t i = first; i < first + distance; ++i) {
                const float a = x[i], b = x[i + distance];
                x[i] = a + b;
                x[i + distance] = a - b;
            }
    const float factor = 1.0f / std::sqrt(static_cast<float>(op.block));
    for (uint32_t i = 0; i < op.block; ++i) x[i] *= factor;
}

} // namespace steelyard::ops
