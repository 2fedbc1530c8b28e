// Where keys and values lie in the paged cache and how they are stored, for the ops that touch it.
//
// The cache is one arena of equal blocks; a block holds kBlockTokens consecutive positions of one sequence for all layers
// of a cache group. Inside a block each layer has a K part and a V part, each [kvHeads] heads; `k` and `v` of an op are the
// address of that part in block 0, so the part in block b starts at k + b * blockStride. The table maps (sequence,
// position / kBlockTokens) to a block: int32 [sequences, tableStride]. Block 0 is scratch: padding rows write there and
// nobody reads it. An entry below 0 marks a block that left a sliding window; it must not be read.
//
// A head is codes [kBlockTokens, headDim] and behind them the heads of their groups of 32, [kBlockTokens, headDim / 32], both as
// the type's format has them (kernels/quant: headBytes, then codes). Types of floating point have codes only. Others need a
// headDim of whole groups; with the parts aligned to 64 bytes the codes of each position are aligned to 16.
#pragma once

#include "kernels/quant/bf16.cuh"
#include "kernels/quant/f16.cuh"
#include "kernels/quant/f32.cuh"
#include "kernels/quant/f8_e4m3.cuh"
#include "kernels/quant/iq4_nl.cuh"
#include "kernels/quant/mxfp4.cuh"
#include "kernels/quant/q4_0.cuh"
#include "kernels/quant/q5_1.cuh"
#include "kernels/quant/q8_0.cuh"

#include <cstdint>

namespace steelyard::ops {

constexpr uint32_t kBlockTokens = 32;
constexpr uint32_t kCacheGroup = 32; // values that share a scale

// How the values of the cache are stored; numbers are GGUF's tensor type ids, and one of our own.
enum class CacheType : uint32_t { F32 = 0, F16 = 1, Q4_0 = 2, Q5_1 = 7, Q8_0 = 8, IQ4_NL = 20, BF16 = 30, MXFP4 = 39, F8_E4M3 = 200 };

// Bytes of a group's codes and of its head.
struct CacheGroupBytes {
    uint32_t codes, head;
};
template <class Format>
__host__ __device__ constexpr CacheGroupBytes groupBytesOf() {
    if constexpr (Format::productClass == kernels::ProductClass::Float) return {kCacheGroup * Format::blockBytes, 0};
    else return {Format::blockBytes - Format::headBytes, Format::headBytes};
}
__host__ __device__ constexpr CacheGroupBytes cacheGroupBytes(CacheType type) {
    switch (type) {
    case CacheType::F32: return groupBytesOf<kernels::F32>();
    case CacheType::F16: return groupBytesOf<kernels::F16>();
    case CacheType::BF16: return groupBytesOf<kernels::BF16>();
    case CacheType::F8_E4M3: return groupBytesOf<kernels::F8_E4M3>();
    case CacheType::Q8_0: return groupBytesOf<kernels::Q8_0>();
    case CacheType::Q5_1: return groupBytesOf<kernels::Q5_1>();
    case CacheType::IQ4_NL: return groupBytesOf<kernels::IQ4_NL>();
    case CacheType::Q4_0: return groupBytesOf<kernels::Q4_0>();
    case CacheType::MXFP4: return groupBytesOf<kernels::MXFP4>();
    }
    return {};
}

// Whether values are codes with a scale for each group, and not floating point of their own.
__host__ __device__ constexpr bool isCoded(CacheType type) { return cacheGroupBytes(type).head > 0; }

// Bytes of the codes and of the heads of one position of one cache head.
__host__ __device__ inline uint32_t cacheCodeBytes(CacheType type, uint32_t headDim) { return cacheGroupBytes(type).codes * headDim / kCacheGroup; }
__host__ __device__ inline uint32_t cacheHeadBytes(CacheType type, uint32_t headDim) { return cacheGroupBytes(type).head * (headDim / kCacheGroup); }

// Bytes of a K or V part of one layer in one block.
__host__ __device__ inline uint64_t cachePartBytes(CacheType type, uint32_t kvHeads, uint32_t headDim) {
    return uint64_t(kvHeads) * kBlockTokens * (cacheCodeBytes(type, headDim) + cacheHeadBytes(type, headDim));
}

// Byte offset inside a K or V part of the codes of one head and one position.
__host__ __device__ inline uint64_t cacheRowOffset(CacheType type, uint32_t kvHead, uint32_t position, uint32_t headDim) {
    return cachePartBytes(type, kvHead, headDim) + uint64_t(position % kBlockTokens) * cacheCodeBytes(type, headDim);
}

// The values of one head and one position; heads are only there for coded types.
template <class Byte>
struct CacheRowOf {
    Byte* codes;
    Byte* heads;
};
using CacheRow = CacheRowOf<const uint8_t>;

// The row at `part`, the K or V part of a block.
template <class Byte>
__host__ __device__ inline CacheRowOf<Byte> cacheRowAt(Byte* part, CacheType type, uint32_t kvHead, uint32_t position, uint32_t headDim) {
    const uint32_t slot = position % kBlockTokens, codes = cacheCodeBytes(type, headDim), heads = cacheHeadBytes(type, headDim);
    Byte* head = part + uint64_t(kvHead) * kBlockTokens * (codes + heads);
    return {head + slot * codes, head + kBlockTokens * codes + slot * heads};
}

template <class Format>
__host__ __device__ inline float codedValue(const CacheRow& row, uint32_t index) {
    constexpr CacheGroupBytes bytes = groupBytesOf<Format>();
    const uint32_t group = index / kCacheGroup;
    return Format::value(row.heads + group * bytes.head, row.codes + group * bytes.codes, index % kCacheGroup);
}

// One value of a row.
__host__ __device__ inline float loadCacheValue(CacheType type, const CacheRow& row, uint32_t index) {
    switch (type) {
    case CacheType::F32: return kernels::F32::load(row.codes, index);
    case CacheType::F16: return kernels::F16::load(row.codes, index);
    case CacheType::BF16: return kernels::BF16::load(row.codes, index);
    case CacheType::F8_E4M3: return kernels::F8_E4M3::load(row.codes, index);
    case CacheType::Q8_0: return codedValue<kernels::Q8_0>(row, index);
    case CacheType::Q5_1: return codedValue<kernels::Q5_1>(row, index);
    case CacheType::IQ4_NL: return codedValue<kernels::IQ4_NL>(row, index);
    case CacheType::Q4_0: return codedValue<kernels::Q4_0>(row, index);
    case CacheType::MXFP4: return codedValue<kernels::MXFP4>(row, index);
    }
    return 0.0f;
}

} // namespace steelyard::ops
