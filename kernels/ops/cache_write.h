// Stores the keys and values of new rows in the paged cache (layout: cache_layout.h).
//
// With ratio 1 a row at position p writes entry p. Compressed keys (compress_keys.h) have one entry per `ratio` positions: then
// only the row that ends a group, (p + 1) mod ratio = 0, writes, entry p / ratio, and blocks hold kBlockTokens entries.
//
//   k, v          float [rows, kvHeads, headDimK] and [rows, kvHeads, headDimV]; v may be 0: keys only (latent attention)
//   positions     int32 [rows];  sequences int32 [rows]: the row's line in the block table
//   blockTable    int32 [sequences, tableStride]
//   cacheK, cacheV   address of this layer's K and V part in block 0
// Values of coded types are packed by groups of 32 (kernels/quant: pack32), those of one group by themselves: what a row leaves in
// the cache depends on it alone. Each row has its own place, so items are independent. Reads k, v, positions, sequences, blockTable; writes the cache.
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

using CacheRowToWrite = CacheRowOf<uint8_t>;

// One value of a type without groups.
__host__ __device__ inline void storeCacheValue(CacheType type, const CacheRowToWrite& row, uint32_t index, float value) {
    switch (type) {
    case CacheType::F32: kernels::F32::store(row.codes, index, value); break;
    case CacheType::F16: kernels::F16::store(row.codes, index, value); break;
    case CacheType::BF16: kernels::BF16::store(row.codes, index, value); break;
    case CacheType::F8_E4M3: kernels::F8_E4M3::store(row.codes, index, value); break;
    case CacheType::Q8_0:
    case CacheType::Q5_1:
    case CacheType::IQ4_NL:
    case CacheType::Q4_0:
    case CacheType::MXFP4: break;
    }
}

template <class Format>
__host__ __device__ inline void storeCodes(const CacheRowToWrite& row, uint32_t group, const float* values) {
    constexpr CacheGroupBytes bytes = groupBytesOf<Format>();
    Format::pack32(values, row.heads + group * bytes.head, row.codes + group * bytes.codes);
}

// Group `group` of a coded type.
__host__ __device__ inline void storeCacheGroup(CacheType type, const CacheRowToWrite& row, uint32_t group, const float* values) {
    switch (type) {
    case CacheType::Q8_0: storeCodes<kernels::Q8_0>(row, group, values); break;
    case CacheType::Q5_1: storeCodes<kernels::Q5_1>(row, group, values); break;
    case CacheType::IQ4_NL: storeCodes<kernels::IQ4_NL>(row, group, values); break;
    case CacheType::Q4_0: storeCodes<kernels::Q4_0>(row, group, values); break;
    case CacheType::MXFP4: storeCodes<kernels::MXFP4>(row, group, values); break;
    case CacheType::F32:
    case CacheType::F16:
    case CacheType::BF16:
    case CacheType::F8_E4M3: break;
    }
}

inline void storeCacheRow(CacheType type, const CacheRowToWrite& row, const float* values, uint32_t headDim) {
    if (!isCoded(type))
        for (uint32_t i = 0; i < headDim; ++i) storeCacheValue(type, row, i, values[i]);
    else
        for (uint32_t group = 0; group < headDim / kCacheGroup; ++group) storeCacheGroup(type, row, group, values + group * kCacheGroup);
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
        storeCacheRow(op.typeK, cacheRowAt(at<uint8_t>(op.cacheK + block), op.typeK, head, position, op.headDimK), k, op.headDimK);
        if (!op.v) continue;
        const float* v = at<const float>(op.v) + (uint64_t(row) * op.kvHeads + head) * op.headDimV;
        storeCacheRow(op.typeV, cacheRowAt(at<uint8_t>(op.cacheV + block), op.typeV, head, position, op.headDimV), v, op.headDimV);
    }
}

} // namespace steelyard::ops
