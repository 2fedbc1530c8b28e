// Attention of query rows over two caches at once: the keys of the last positions, and compressed keys of all before and
// within them (compress_keys.h). All heads share one key, which is the value too.
//
//   row r at position p attends the positions j with j <= p and j > p - window in the recent cache, and in the distant cache the
//   entries e < (p + 1) / ratio: all of them, or with ids != 0 those that ids[r, :] names (-1: none)
//   y = sum_j softmax(q . K_j * scale)_j K_j over both;  a sink adds exp(sink[head]) to the denominator only
//   q, y       float [rows, heads, dim];  sinks  float [heads] or 0;  ids  int32 [rows, idCount] or 0
//   recentCache, distantCache  the layer's part in block 0 of each (cache_layout.h), one cache head
//   recentTable, distantTable  int32 [sequences, tableStride];  positions, sequences  int32 [rows]
// Keys are stored as floats or halves. Reads all but y; writes y. Keys enter in the order recent, distant, each by ascending number. An item is one head of one row.
// Source: DeepSeek-AI, "DeepSeek-V4" (compressed attention).
#pragma once

#include "kernels/ops/attention.h"

namespace steelyard::ops {

struct CompressedAttention {
    static constexpr const char* name = "compressed_attention";
    uint64_t q;
    uint64_t y;
    uint64_t positions;
    uint64_t sequences;
    uint64_t recentTable;
    uint64_t distantTable;
    uint64_t recentCache;
    uint64_t distantCache;
    uint64_t ids;
    uint64_t sinks;
    uint64_t recentStride; // bytes from one block to the next
    uint64_t distantStride;
    uint32_t rows;
    uint16_t heads;
    uint16_t dim;
    uint32_t tableStride;
    uint32_t window; // at least 1
    uint32_t ratio;
    uint32_t idCount;
    float scale;
    CacheType type;
};
static_assert(isOp<CompressedAttention>);

inline uint32_t items(const CompressedAttention& op) { return op.rows * op.heads; }

// The keys that a row attends, numbered in their order.
struct CompressedKeys {
    uint32_t first;    // position in the recent cache
    uint32_t recent;   // their number
    uint32_t distant;
    const int32_t* recentTable;
    const int32_t* distantTable;
    const int32_t* ids; // of the row, or null
};

__host__ __device__ inline CompressedKeys compressedKeys(const CompressedAttention& op, uint32_t row) {
    const uint32_t position = static_cast<uint32_t>(at<const int32_t>(op.positions)[row]);
    const uint64_t line = static_cast<uint64_t>(at<const int32_t>(op.sequences)[row]) * op.tableStride;
    CompressedKeys keys;
    keys.first = position + 1 > op.window ? position + 1 - op.window : 0;
    keys.recent = position + 1 - keys.first;
    keys.distant = (position + 1) / op.ratio;
    if (op.ids && keys.distant > op.idCount) keys.distant = op.idCount;
    keys.recentTable = at<const int32_t>(op.recentTable) + line;
    keys.distantTable = at<const int32_t>(op.distantTable) + line;
    keys.ids = op.ids ? at<const int32_t>(op.ids) + uint64_t(row) * op.idCount : nullptr;
    return keys;
}

// Key `entry` of a cache's part.
__host__ __device__ inline const uint8_t* pagedKey(const CompressedAttention& op, uint64_t part, uint64_t stride, const int32_t* table, uint32_t entry) {
    const uint64_t block = static_cast<uint64_t>(table[entry / kBlockTokens]) * stride;
    return at<const uint8_t>(part) + block + cacheRowOffset(op.type, 0, entry, op.dim);
}

// Key number i of a row; null where ids names none.
__host__ __device__ inline const uint8_t* compressedKeyAddress(const CompressedAttention& op, const CompressedKeys& keys, uint32_t i) {
    if (i < keys.recent) return pagedKey(op, op.recentCache, op.recentStride, keys.recentTable, keys.first + i);
    const uint32_t number = i - keys.recent;
    if (!keys.ids) return pagedKey(op, op.distantCache, op.distantStride, keys.distantTable, number);
    if (keys.ids[number] < 0) return nullptr;
    return pagedKey(op, op.distantCache, op.distantStride, keys.distantTable, static_cast<uint32_t>(keys.ids[number]));
}

// One head of one row, with a running maximum and sum.
inline void compute(const CompressedAttention& op, uint32_t item) {
    const CompressedKeys keys = compressedKeys(op, item / op.heads);
    const float* q = at<const float>(op.q) + uint64_t(item) * op.dim;
    float* y = at<float>(op.y) + uint64_t(item) * op.dim;
    float largest = op.sinks ? at<const float>(op.sinks)[item % op.heads] : -INFINITY;
    float sum = op.sinks ? 1.0f : 0.0f;
    for (uint32_t i = 0; i < op.dim; ++i) y[i] = 0.0f;
    for (uint32_t key = 0; key < keys.recent + keys.distant; ++key) {
        const uint8_t* k = compressedKeyAddress(op, keys, key);
        if (!k) continue;
        float score = 0.0f;
        for (uint32_t i = 0; i < op.dim; ++i) score += q[i] * loadCacheValue(op.type, {k, nullptr}, i);
        score *= op.scale;
        if (score > largest) {
            const float shrink = std::exp(largest - score);
            sum *= shrink;
            for (uint32_t i = 0; i < op.dim; ++i) y[i] *= shrink;
            largest = score;
        }
        const float weight = std::exp(score - largest);
        sum += weight;
        for (uint32_t i = 0; i < op.dim; ++i) y[i] += weight * loadCacheValue(op.type, {k, nullptr}, i);
    }
    for (uint32_t i = 0; i < op.dim; ++i) y[i] /= sum;
}

} // namespace steelyard::ops
