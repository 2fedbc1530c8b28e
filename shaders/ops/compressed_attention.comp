// Attention over the recent keys and the compressed ones (kernels/ops/compressed_attention.h). A work group per head of a row.
// THREADS keys are done at once: a thread scores a whole key, the group takes maximum and sum as a fixed tree, then a thread
// adds up its dimensions over all of them. The keys of a row are numbered in a fixed order, so that its result is its own.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/cache.glsl"
#include "include/op.glsl"

layout(constant_id = 0) const uint THREADS = 64;
layout(constant_id = 1) const uint DIM = 64;
layout(constant_id = 2) const uint TYPE = 1;
layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t q, y, positions, sequences, recentTable, distantTable, recentCache, distantCache, ids, sinks, recentStride, distantStride;
    uint rows, headsAndDim, tableStride, window, ratio, idCount;
    float scale;
    uint type;
} op;

#include "include/reduce.glsl"

const uint RESULTS = (DIM + THREADS - 1u) / THREADS; // of a thread: dimensions THREADS apart
const float NOTHING = -3.0e38; // below every score, and finite, so that differences stay numbers
shared float query[DIM];
shared float weights[THREADS];
shared uint64_t keys[THREADS];

// What a row attends.
struct Keys {
    uint first, recent, distant;
    uint64_t recentTable, distantTable, ids;
};

Keys keysOf(uint row) {
    const uint position = uint(ReadInts(op.positions).v[row]);
    const uint64_t line = rowOffset(uint(ReadInts(op.sequences).v[row]), op.tableStride);
    Keys k;
    k.first = position + 1u > op.window ? position + 1u - op.window : 0u;
    k.recent = position + 1u - k.first;
    k.distant = (position + 1u) / op.ratio;
    if (op.ids != 0ul) k.distant = min(k.distant, op.idCount);
    k.recentTable = op.recentTable + line;
    k.distantTable = op.distantTable + line;
    k.ids = op.ids + rowOffset(row, op.idCount);
    return k;
}

// Address of key number i; 0 where there is none.
uint64_t keyAddress(Keys k, uint i) {
    if (i >= k.recent + k.distant) return 0ul;
    const bool isRecent = i < k.recent;
    uint entry = isRecent ? k.first + i : i - k.recent;
    if (!isRecent && op.ids != 0ul) {
        const int id = ReadInts(k.ids).v[entry];
        if (id < 0) return 0ul;
        entry = uint(id);
    }
    const int block = ReadInts(isRecent ? k.recentTable : k.distantTable).v[entry / BLOCK_TOKENS];
    const uint64_t start = uint64_t(uint(block)) * (isRecent ? op.recentStride : op.distantStride);
    return (isRecent ? op.recentCache : op.distantCache) + start + entry % BLOCK_TOKENS * DIM * (TYPE == CACHE_F32 ? 4u : 2u);
}

float loadValue(uint64_t key, uint i) {
    return TYPE == CACHE_F32 ? ReadFloats(key).v[i] : halfToFloat(uint(ReadHalves(key).v[i]));
}

void main() {
    const uint heads = op.headsAndDim & 0xFFFFu, thread = gl_LocalInvocationIndex, item = workGroup();
    if (item >= op.rows * heads) return;
    const Keys k = keysOf(item / heads);
    for (uint d = thread; d < DIM; d += THREADS) query[d] = ReadFloats(op.q + rowOffset(item, DIM)).v[d];
    barrier();
    float largest = op.sinks != 0ul ? ReadFloats(op.sinks).v[item % heads] : NOTHING, sum = op.sinks != 0ul ? 1.0 : 0.0;
    float result[RESULTS];
    for (uint i = 0u; i < RESULTS; ++i) result[i] = 0.0;
    const uint count = k.recent + k.distant;
    for (uint start = 0u; start < count; start += THREADS) {
        const uint64_t key = keyAddress(k, start + thread);
        float score = NOTHING;
        if (key != 0ul) {
            score = 0.0;
            for (uint d = 0u; d < DIM; ++d) score = fma(query[d], loadValue(key, d), score);
            score *= op.scale;
        }
        const float top = max(largest, groupMax(score)), keep = exp(largest - top);
        const float weight = key != 0ul ? exp(score - top) : 0.0;
        weights[thread] = weight;
        keys[thread] = key;
        sum = sum * keep + groupSum(weight); // which orders the writes before the reads below
        largest = top;
        const uint last = min(count - start, THREADS);
        for (uint i = 0u; i < RESULTS; ++i) {
            const uint d = thread + i * THREADS;
            result[i] *= keep;
            for (uint j = 0u; j < last && d < DIM; ++j)
                if (keys[j] != 0ul) result[i] = fma(weights[j], loadValue(keys[j], d), result[i]);
        }
        barrier();
    }
    for (uint i = 0u; i < RESULTS; ++i) {
        const uint d = thread + i * THREADS;
        if (d < DIM) Floats(op.y + rowOffset(item, DIM)).v[d] = result[i] / sum;
    }
}
