// Stores the keys and values of new rows in the paged cache (layout: cache_layout.h).
//
// With ratio 1 a row at position p writes entry p. Compressed keys (compress_keys.h) have one entry per `ratio` positions: then
// only the row that ends a group, (p + 1) mod ratio = 0, writes, entry p / ratio, and blocks hold kBlockTokens entries.
//
//   k, v          float [rows, kvHeads, headDimK] and [rows, kvHeads, headDimV]; v may be 0: keys only (latent attention)
//   positions     int32 [rows];  sequences int32 [rows]: the row's line in the block table
//   blockTable    int32 [sequences, tableStride]
//   cacheK, cacheV   address of this layer's K and V part in block 0
// Each row has its own place, so items are independent. Reads k, v, positions, sequences, blockTable; writes the cache.
#pragma once

#include "kernels/ops/cache_layout.h"
#include "kernels/ops/op.h"

namespace steelyard::ops {

struct CacheWrite {
    static constexpr const char* name = "cache_write";
    uint64_t k;
    uint64_t v;
    uint64_t positions;
    uint64_t sequences;
    uint64_t blockTable;
    uint64_t cacheK;
    uint64_t cacheV;
    uint64_t blockStride; // bytes from one block to the next
    uint32_t rows;
    uint32_t kvHeads;
    uint32_t headDimK;
    uint32_t headDimV;
    uint32_t tableStride;
    CacheType typeK;
    CacheType typeV;
    uint32_t ratio; // at least 1
};
static_assert(isOp<CacheWrite>);

inline uint32_t items(const CacheWrite& op) { return op.rows; }

__host__ __device__ inline void storeCacheValue(CacheType type, uint8_t* destination, uint32_t index, float value) {
    if (type == CacheType::F32) reinterpret_cast<float*>(destination)[index] = value;
    else reinterpret_cast<uint16_t*>(destination)[index] = kernels::floatToHalf(value);
}

// The entry that a row writes, or -1.
__host__ __device__ inline int32_t cacheEntry(const CacheWrite& op, uint32_t row) {
    const uint32_t position = static_cast<uint32_t>(at<const int32_t>(op.positions)[row]);
    return (position + 1) % op.ratio == 0 ? static_cast<int32_t>(position / op.ratio) : -1;
}

inline void compute(const CacheWrite& op, uint32_t row) {
    if (cacheEntry(op, row) < 0) return;
    const uint32_t position = static_cast<uint32_t>(cacheEntry(op, row));
    const uint32_t sequence = static_cast<uint32_t>(at<const int32_t>(op.sequences)[row]);
    const int32_t* table = at<const int32_t>(op.blockTable) + uint64_t(sequence) * op.tableStride;
    const uint64_t block = static_cast<uint64_t>(table[position / kBlockTokens]) * op.blockStride;
    for (uint32_t head = 0; head < op.kvHeads; ++head) {
        const float* k = at<const float>(op.k) + (uint64_t(row) * op.kvHeads + head) * op.headDimK;
        uint8_t* cacheK = at<uint8_t>(op.cacheK) + block + cacheRowOffset(op.typeK, head, position, op.headDimK);
        for (uint32_t i = 0; i < op.headDimK; ++i) storeCacheValue(op.typeK, cacheK, i, k[i]);
        if (!op.v) continue;
        const float* v = at<const float>(op.v) + (uint64_t(row) * op.kvHeads + head) * op.headDimV;
        uint8_t* cacheV = at<uint8_t>(op.cacheV) + block + cacheRowOffset(op.typeV, head, position, op.headDimV);
        for (uint32_t i = 0; i < op.headDimV; ++i) storeCacheValue(op.typeV, cacheV, i, v[i]);
    }
}

} // namespace steelyard::ops
