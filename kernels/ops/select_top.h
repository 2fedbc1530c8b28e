// The numbers of the largest scores of each row, in ascending order.
//
//   ids[r, :] = the `count` entries of largest score among the first (p + 1) / ratio that the row's position p sees, of equal
//               scores the earlier entry; where it sees fewer, all of them; the rest of the row is -1
//   scores     float [rows, entries];  positions  int32 [rows];  ids  int32 [rows, count]
// A score that is no number counts as the smallest. Reads scores, positions; writes ids. The threshold is found bit by bit,
// 32 times over the row. An item is one row.
#pragma once

#include "kernels/ops/op.h"

#include <cstring>

namespace steelyard::ops {

struct SelectTop {
    static constexpr const char* name = "select_top";
    uint64_t scores;
    uint64_t positions;
    uint64_t ids;
    uint32_t rows;
    uint32_t entries;
    uint32_t count;
    uint32_t ratio;
};
static_assert(isOp<SelectTop>);

__host__ __device__ inline uint32_t items(const SelectTop& op) { return op.rows; }

// A whole number that orders as the score does.
__host__ __device__ inline uint32_t scoreOrder(float score) {
    if (!(score == score)) return 0;
    if (score == 0.0f) score = 0.0f; // one zero
    uint32_t bits;
    std::memcpy(&bits, &score, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

// How many entries a row sees, and how many of them are chosen.
__host__ __device__ inline uint32_t visibleEntries(const SelectTop& op, uint32_t row) {
    return (static_cast<uint32_t>(at<const int32_t>(op.positions)[row]) + 1) / op.ratio;
}

inline void compute(const SelectTop& op, uint32_t row) {
    const float* scores = at<const float>(op.scores) + uint64_t(row) * op.entries;
    int32_t* ids = at<int32_t>(op.ids) + uint64_t(row) * op.count;
    const uint32_t visible = visibleEntries(op, row), chosen = visible < op.count ? visible : op.count;
    uint32_t threshold = 0; // the largest number that at least `chosen` entries reach
    for (uint32_t bit = 0x80000000u; bit > 0; bit /= 2) {
        uint32_t reached = 0;
        for (uint32_t e = 0; e < visible; ++e) reached += scoreOrder(scores[e]) >= (threshold | bit);
        if (reached >= chosen) threshold |= bit;
    }
    uint32_t above = 0, taken = 0;
    for (uint32_t e = 0; e < visible; ++e) above += scoreOrder(scores[e]) > threshold;
    uint32_t equals = chosen > above ? chosen - above : 0; // of those at the threshold
    for (uint32_t e = 0; e < visible && taken < chosen; ++e) {
        const uint32_t order = scoreOrder(scores[e]);
        if (order < threshold || (order == threshold && equals == 0)) continue;
        if (order == threshold) --equals;
        ids[taken++] = static_cast<int32_t>(e);
    }
    for (; taken < op.count; ++taken) ids[taken] = -1;
}

} // namespace steelyard::ops
