// Causal attention of query rows over the paged cache (layout: cache_layout.h), with grouped queries, sliding window,
// soft cap and sinks.
//
//   row r at position p of sequence s attends the positions j with  j <= p  and, where window > 0,  j > p - window, and,
//   where chunk > 0,  j >= p - p mod chunk
//   score_j = q . K_j * scale;  with softCap > 0: softCap * tanh(score_j / softCap)
//   with temperatureScale > 0 the scale grows with the position: scale * (temperatureScale * ln(floor((p + temperatureOffset) /
//   temperatureLength) + 1) + 1)
//   y = sum_j softmax(score)_j V_j;  a sink adds exp(sink[head]) to the softmax's denominator only
//   q           float [rows, heads, headDimK];  query head h reads cache head h / (heads / kvHeads)
//   y           float [rows, heads, headDimV]
//   positions, sequences   int32 [rows];  blockTable int32 [sequences, tableStride]. Without window and chunk, `positions` may
//               name a later position than the row's own: attention that is not causal
//   cacheV      values of a head lie valueStride apart (headDimV, or headDimK where the values are the first headDimV of each
//               key: latent attention, cacheV = cacheK, one cache head)
//   sinks       float [heads] or 0
//   partials    scratch for devices that split a row's positions over work groups:
//               float [rows, heads, splits, headDimV + 2], or 0 when splits is 1
// The rows' own keys and values are in the cache already. Row invariance: sums run over segments of kSegmentTokens
// positions by absolute position and merge in order; `splits` says over how many groups the segments may be spread and
// must not change the result. Reads q, the cache, tables; writes y, partials. Bound by the cache's bytes for few rows.
// Sources: Dao et al., "FlashAttention" (running maximum and sum); Xiao et al., "Efficient Streaming Language Models".
#pragma once

#include "kernels/ops/cache_layout.h"
#include "kernels/ops/op.h"

#include <cmath>

namespace steelyard::ops {

constexpr uint32_t kSegmentTokens = 256;

struct Attention {
    static constexpr const char* name = "attention";
    uint64_t q;
    uint64_t y;
    uint64_t positions;
    uint64_t sequences;
    uint64_t blockTable;
    uint64_t cacheK;
    uint64_t cacheV;
    uint64_t sinks;
    uint64_t partials;
    uint64_t blockStride;
    uint32_t rows;
    uint16_t heads;
    uint16_t kvHeads;
    uint16_t headDimK;
    uint16_t headDimV;
    uint32_t tableStride;
    uint32_t window;  // 0 = unlimited
    float scale;
    float softCap;    // 0 = none
    uint16_t splits;  // at least 1
    uint8_t typeK;    // CacheType
    uint8_t typeV;
    uint32_t chunk;           // 0 = unlimited
    uint16_t valueStride;
    uint16_t temperatureOffset;
    uint32_t temperatureLength;
    float temperatureScale;   // 0 = none
};
static_assert(isOp<Attention>);

inline uint32_t items(const Attention& op) { return op.rows * op.heads; }

// The position that chunk and window let a row at `position` see first.
__host__ __device__ inline uint32_t firstVisible(const Attention& op, uint32_t position) {
    uint32_t first = op.window > 0 && position + 1 > op.window ? position + 1 - op.window : 0;
    if (op.chunk > 0 && position - position % op.chunk > first) first = position - position % op.chunk;
    return first;
}

// The factor of a row's scores.
__host__ __device__ inline float scoreScale(const Attention& op, uint32_t position) {
    if (op.temperatureScale <= 0.0f) return op.scale;
    const float steps = static_cast<float>((position + op.temperatureOffset) / op.temperatureLength);
    return op.scale * (op.temperatureScale * std::log(steps + 1.0f) + 1.0f);
}

// One head of one row. A running maximum and sum over segments, as every device does it.
inline void compute(const Attention& op, uint32_t item) {
    const uint32_t row = item / op.heads, head = item % op.heads, kvHead = head / (op.heads / op.kvHeads);
    const CacheType typeK = static_cast<CacheType>(op.typeK), typeV = static_cast<CacheType>(op.typeV);
    const uint32_t position = static_cast<uint32_t>(at<const int32_t>(op.positions)[row]);
    const uint32_t sequence = static_cast<uint32_t>(at<const int32_t>(op.sequences)[row]);
    const int32_t* table = at<const int32_t>(op.blockTable) + uint64_t(sequence) * op.tableStride;
    const float* q = at<const float>(op.q) + uint64_t(item) * op.headDimK;
    float* y = at<float>(op.y) + uint64_t(item) * op.headDimV;
    const uint32_t first = firstVisible(op, position);
    const float scale = scoreScale(op, position);
    float largest = -INFINITY, sum = 0.0f;
    for (uint32_t i = 0; i < op.headDimV; ++i) y[i] = 0.0f;
    for (uint32_t j = first; j <= position; ++j) {
        const uint64_t block = static_cast<uint64_t>(table[j / kBlockTokens]) * op.blockStride;
        const CacheRow k = cacheRowAt(at<const uint8_t>(op.cacheK + block), typeK, kvHead, j, op.headDimK);
        const CacheRow v = cacheRowAt(at<const uint8_t>(op.cacheV + block), typeV, kvHead, j, op.valueStride);
        float score = 0.0f;
        for (uint32_t i = 0; i < op.headDimK; ++i) score += q[i] * loadCacheValue(typeK, k, i);
        score *= scale;
        if (op.softCap > 0.0f) score = op.softCap * std::tanh(score / op.softCap);
        if (score > largest) {
            const float shrink = std::exp(largest - score);
            sum *= shrink;
            for (uint32_t i = 0; i < op.headDimV; ++i) y[i] *= shrink;
            largest = score;
        }
        const float weight = std::exp(score - largest);
        sum += weight;
        for (uint32_t i = 0; i < op.headDimV; ++i) y[i] += weight * loadCacheValue(typeV, v, i);
    }
    if (op.sinks) {
        const float sink = at<const float>(op.sinks)[head];
        if (sink > largest) {
            const float shrink = std::exp(largest - sink);
            sum *= shrink;
            for (uint32_t i = 0; i < op.headDimV; ++i) y[i] *= shrink;
            largest = sink;
        }
        sum += std::exp(sink - largest);
    }
    for (uint32_t i = 0; i < op.headDimV; ++i) y[i] /= sum;
}

} // namespace steelyard::ops
