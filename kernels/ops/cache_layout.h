// Where keys and values lie in the paged cache, for the two ops that touch it.
//
// The cache is one arena of equal blocks; a block holds kBlockTokens consecutive positions of one sequence for all layers
// of a cache group. Inside a block each layer has a K part and a V part, each [kvHeads, kBlockTokens, headDim]; `k` and `v`
// of an op are the address of that part in block 0, so the part in block b starts at k + b * blockStride. The table maps
// (sequence, position / kBlockTokens) to a block: int32 [sequences, tableStride]. Block 0 is scratch: padding rows write
// there and nobody reads it. An entry below 0 marks a block that left a sliding window; it must not be read.
#pragma once

#include "kernels/device/half.h"
#include "kernels/device/keywords.h"

#include <cstdint>

namespace steelyard::ops {

constexpr uint32_t kBlockTokens = 32;

// How one value of the cache is stored; numbers are GGUF's tensor type ids.
enum class CacheType : uint32_t { F32 = 0, F16 = 1 };

__host__ __device__ inline uint32_t cacheValueBytes(CacheType type) { return type == CacheType::F32 ? 4u : 2u; }

// Byte offset inside a K or V part of the values of one head and one position.
__host__ __device__ inline uint64_t cacheRowOffset(CacheType type, uint32_t kvHead, uint32_t position, uint32_t headDim) {
    return (uint64_t(kvHead) * kBlockTokens + position % kBlockTokens) * headDim * cacheValueBytes(type);
}

// Bytes of a K or V part of one layer in one block.
__host__ __device__ inline uint64_t cachePartBytes(CacheType type, uint32_t kvHeads, uint32_t headDim) {
    return uint64_t(kvHeads) * kBlockTokens * headDim * cacheValueBytes(type);
}

} // namespace steelyard::ops
