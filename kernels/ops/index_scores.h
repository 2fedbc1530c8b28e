// How much each compressed key matters to each row, by small index heads of their own: what select_top chooses from.
//
//   y[r, e] = scale * sum_h weights[r, h] * max(q[r, h] . K_e, 0)   for the entries e < (p + 1) / ratio that the row's
//             position p sees; others are not written
//   q          float [rows, heads, dim];  weights  float [rows, heads]
//   cache      the index keys in the paged cache (cache_layout.h): one head, floats or halves, entry e in the place of position e
//   y          float [rows, entries]
//   positions, sequences  int32 [rows];  blockTable  int32 [sequences, tableStride]
// Reads all but y; writes y. An item is one entry of one row. Bound by arithmetic. Source: DeepSeek-AI, "DeepSeek-V3.2"
// (lightning indexer).
#pragma once

#include "kernels/ops/cache_write.h"

namespace steelyard::ops {

struct IndexScores {
    static constexpr const char* name = "index_scores";
    uint64_t q;
    uint64_t weights;
    uint64_t cache;
    uint64_t y;
    uint64_t positions;
    uint64_t sequences;
    uint64_t blockTable;
    uint64_t blockStride;
    uint32_t rows;
    uint32_t heads;
    uint32_t dim;
    uint32_t entries; // at least as many as the furthest row sees
    uint32_t tableStride;
    uint32_t ratio;
    CacheType type;
    float scale;
};
static_assert(isOp<IndexScores>);

__host__ __device__ inline uint32_t items(const IndexScores& op) { return op.rows * op.entries; }

__host__ __device__ inline void compute(const IndexScores& op, uint32_t item) {
    const uint32_t row = item / op.entries, entry = item % op.entries;
    if (entry >= (static_cast<uint32_t>(at<const int32_t>(op.positions)[row]) + 1) / op.ratio) return;
    const uint32_t sequence = static_cast<uint32_t>(at<const int32_t>(op.sequences)[row]);
    const int32_t block = at<const int32_t>(op.blockTable)[uint64_t(sequence) * op.tableStride + entry / kBlockTokens];
    const uint8_t* key = at<const uint8_t>(op.cache) + static_cast<uint64_t>(block) * op.blockStride + cacheRowOffset(op.type, 0, entry, op.dim);
    const float* q = at<const float>(op.q) + uint64_t(row) * op.heads * op.dim;
    const float* weights = at<const float>(op.weights) + uint64_t(row) * op.heads;
    float total = 0.0f;
    for (uint32_t head = 0; head < op.heads; ++head) {
        float product = 0.0f;
        for (uint32_t i = 0; i < op.dim; ++i) product += q[uint64_t(head) * op.dim + i] * loadCacheValue(op.type, {key, nullptr}, i);
        total += weights[head] * std::fmax(product, 0.0f);
    }
    at<float>(op.y)[item] = total * op.scale;
}

} // namespace steelyard::ops
