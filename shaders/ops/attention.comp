// Causal attention over the paged cache (kernels/ops/attention.h). One work group per row, head and split.
//
// A segment of 256 positions is done at once: a thread scores whole positions, the group takes maximum and sum as a fixed
// tree, then a thread adds up four dimensions of the values over each PARTS-th position. Segments merge in order into
// a running maximum, sum and vector. With splits, STAGE 0 leaves each split's three in `partials` and STAGE 1 merges
// them in order; where a split has one segment the arithmetic is that of the unsplit run.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/cache.glsl"
#include "include/functions.glsl"
#include "include/op.glsl"

layout(constant_id = 0) const uint THREADS = 64;
layout(constant_id = 1) const uint STAGE = 0;
layout(constant_id = 2) const uint TYPE_K = 1;
layout(constant_id = 3) const uint TYPE_V = 1;
layout(constant_id = 4) const uint DIM_K = 64;
layout(constant_id = 5) const uint DIM_V = 64;
layout(constant_id = 6) const uint LONGS = 0; // keys and values are read as 8-byte words
layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t q, y, positions, sequences, blockTable, cacheK, cacheV, sinks, partials, blockStride;
    uint rows, headCounts, headDims, tableStride, window;
    float scale, softCap;
    uint splitsAndTypes;
    uint chunk, valueStrideAndOffset, temperatureLength;
    float temperatureScale;
} op;

#include "include/reduce.glsl"

const uint SEGMENT = 256u;
const float NOTHING = -3.0e38; // below every score, and finite, so that differences stay numbers
shared float query[DIM_K];
shared float scores[SEGMENT];
shared float result[DIM_V];
// Threads that share a column of a segment's values, by position: a power of two.
const uint RATIO = THREADS * 4u / DIM_V;
const uint PARTS = RATIO >= 16u ? 16u : RATIO >= 8u ? 8u : RATIO >= 4u ? 4u : RATIO >= 2u ? 2u : 1u;
shared float partSums[PARTS * DIM_V];

uint heads() { return op.headCounts & 0xFFFFu; }
uint splits() { return op.splitsAndTypes & 0xFFFFu; }

// Address of the values of one position and cache head; 0 where the block has left the window.
uint64_t cacheRow(uint64_t part, uint64_t table, uint kvHead, uint position, uint bytes) {
    const int block = ReadInts(table).v[position / BLOCK_TOKENS];
    if (block < 0) return 0ul;
    return part + uint64_t(uint(block)) * op.blockStride + (kvHead * BLOCK_TOKENS + position % BLOCK_TOKENS) * bytes;
}

// Values 4i to 4i + 3 of a cache row, or the single value i, as the type says.
vec4 loadFour(uint64_t row, uint type, uint i) {
    ReadLongs longs = ReadLongs(row);
    if (type == CACHE_F32)
        return uintBitsToFloat(uvec4(unpackUint2x32(longs.v[2u * i]), unpackUint2x32(longs.v[2u * i + 1u])));
    const uvec2 four = unpackUint2x32(longs.v[i]);
    return vec4(unpackHalf2x16(four.x), unpackHalf2x16(four.y));
}
float loadOne(uint64_t row, uint type, uint i) {
    return type == CACHE_F32 ? ReadFloats(row).v[i] : halfToFloat(uint(ReadHalves(row).v[i]));
}

float scoreScale; // of this row

float score(uint64_t key) {
    float sum = 0.0;
    if (LONGS != 0u) {
        for (uint i = 0u; i < DIM_K / 4u; ++i) {
            const vec4 k = loadFour(key, TYPE_K, i);
            sum = fma(query[4u * i], k.x, sum);
            sum = fma(query[4u * i + 1u], k.y, sum);
            sum = fma(query[4u * i + 2u], k.z, sum);
            sum = fma(query[4u * i + 3u], k.w, sum);
        }
    } else {
        for (uint i = 0u; i < DIM_K; ++i) sum = fma(query[i], loadOne(key, TYPE_K, i), sum);
    }
    sum *= scoreScale;
    return op.softCap > 0.0 ? op.softCap * safeTanh(sum / op.softCap) : sum;
}

// Leaves in partSums the values of a segment's positions [from, to), weighted by their scores.
void addValues(uint64_t table, uint kvHead, uint start, uint from, uint to) {
    const uint width = LONGS != 0u ? 4u : 1u, columns = DIM_V / width;
    const uint rowBytes = (op.valueStrideAndOffset & 0xFFFFu) * (TYPE_V == CACHE_F32 ? 4u : 2u);
    for (uint i = gl_LocalInvocationIndex; i < columns * PARTS; i += THREADS) {
        const uint column = i % columns, part = i / columns;
        vec4 sum = vec4(0.0);
        for (uint block = from / BLOCK_TOKENS * BLOCK_TOKENS; block < to; block += BLOCK_TOKENS) {
            const uint64_t rows = cacheRow(op.cacheV, table, kvHead, start + block, rowBytes);
            if (rows == 0ul) continue;
            for (uint t = part; t < BLOCK_TOKENS; t += PARTS) {
                if (block + t < from || block + t >= to) continue;
                const float weight = scores[block + t];
                if (LONGS != 0u) sum = fma(vec4(weight), loadFour(rows + t * rowBytes, TYPE_V, column), sum);
                else sum.x = fma(weight, loadOne(rows + t * rowBytes, TYPE_V, column), sum.x);
            }
        }
        for (uint d = 0u; d < width; ++d) partSums[part * DIM_V + column * width + d] = sum[d];
    }
    barrier();
}

// Merges a maximum and a sum into the running ones.
void merge(inout float largest, inout float sum, float otherLargest, float otherSum) {
    const float top = max(largest, otherLargest);
    sum = sum * exp(largest - top) + otherSum * exp(otherLargest - top);
    largest = top;
}

void finish(uint row, uint head, float largest, float sum) {
    float shrink = 1.0;
    if (op.sinks != 0ul) {
        const float sink = ReadFloats(op.sinks).v[head];
        const float top = max(largest, sink);
        shrink = exp(largest - top);
        sum = sum * shrink + exp(sink - top);
    }
    Floats y = Floats(op.y + rowOffset(row * heads() + head, DIM_V));
    for (uint d = gl_LocalInvocationIndex; d < DIM_V; d += THREADS) y.v[d] = result[d] * shrink / sum;
}

void mergePartials(uint row, uint head) {
    ReadFloats parts = ReadFloats(op.partials + rowOffset((row * heads() + head) * splits(), DIM_V + 2u));
    float largest = NOTHING, sum = 0.0;
    for (uint s = 0u; s < splits(); ++s) {
        const uint first = s * (DIM_V + 2u);
        const float otherLargest = parts.v[first + DIM_V];
        if (otherLargest <= NOTHING) continue;
        const float top = max(largest, otherLargest);
        const float keep = exp(largest - top), take = exp(otherLargest - top);
        for (uint d = gl_LocalInvocationIndex; d < DIM_V; d += THREADS)
            result[d] = (sum == 0.0 ? 0.0 : result[d] * keep) + parts.v[first + d] * take;
        merge(largest, sum, otherLargest, parts.v[first + DIM_V + 1u]);
    }
    finish(row, head, largest, sum);
}

void main() {
    const uint item = workGroup() / (STAGE == 0u ? splits() : 1u);
    const uint split = STAGE == 0u ? workGroup() % splits() : 0u;
    const uint row = item / heads(), head = item % heads();
    if (row >= op.rows) return;
    if (STAGE == 1u) {
        mergePartials(row, head);
        return;
    }
    const uint thread = gl_LocalInvocationIndex;
    const uint kvHead = head / (heads() / (op.headCounts >> 16));
    // Never beyond the table, whatever a padding row holds.
    const uint position = min(uint(ReadInts(op.positions).v[row]), op.tableStride * BLOCK_TOKENS - 1u);
    const uint sequence = uint(ReadInts(op.sequences).v[row]);
    const uint64_t table = op.blockTable + rowOffset(sequence, op.tableStride);
    uint begin = op.window > 0u && position + 1u > op.window ? position + 1u - op.window : 0u;
    if (op.chunk > 0u) begin = max(begin, position - position % op.chunk);
    scoreScale = op.scale;
    if (op.temperatureScale > 0.0) {
        const uint steps = (position + (op.valueStrideAndOffset >> 16)) / op.temperatureLength;
        scoreScale *= op.temperatureScale * log(float(steps) + 1.0) + 1.0;
    }
    for (uint d = thread; d < DIM_K; d += THREADS) query[d] = ReadFloats(op.q + rowOffset(item, DIM_K)).v[d];
    for (uint d = thread; d < DIM_V; d += THREADS) result[d] = 0.0;
    barrier();
    const uint segments = position / SEGMENT + 1u, perSplit = (segments + splits() - 1u) / splits();
    const uint last = min((split + 1u) * perSplit, segments);
    float largest = NOTHING, sum = 0.0;
    for (uint segment = max(split * perSplit, begin / SEGMENT); segment < last; ++segment) {
        const uint start = segment * SEGMENT;
        const uint from = max(begin, start) - start, to = min(position + 1u - start, SEGMENT);
        float mine = NOTHING;
        for (uint j = thread; j < to; j += THREADS) {
            float s = NOTHING;
            if (j >= from) {
                const uint64_t key = cacheRow(op.cacheK, table, kvHead, start + j, DIM_K * (TYPE_K == CACHE_F32 ? 4u : 2u));
                if (key != 0ul) s = score(key);
            }
            scores[j] = s;
            mine = max(mine, s);
        }
        const float segmentLargest = groupMax(mine);
        float mySum = 0.0;
        for (uint j = thread; j < to; j += THREADS) {
            const float weight = scores[j] <= NOTHING ? 0.0 : exp(scores[j] - segmentLargest);
            scores[j] = weight;
            mySum += weight;
        }
        const float segmentSum = groupSum(mySum);
        const float top = max(largest, segmentLargest);
        const float keep = exp(largest - top), take = exp(segmentLargest - top);
        addValues(table, kvHead, start, from, to);
        for (uint d = thread; d < DIM_V; d += THREADS) {
            float value = partSums[d];
            for (uint part = 1u; part < PARTS; ++part) value += partSums[part * DIM_V + d];
            result[d] = result[d] * keep + value * take;
        }
        merge(largest, sum, segmentLargest, segmentSum);
        barrier();
    }
    if (splits() == 1u) {
        finish(row, head, largest, sum);
        return;
    }
    Floats part = Floats(op.partials + rowOffset(item * splits() + split, DIM_V + 2u));
    for (uint d = thread; d < DIM_V; d += THREADS) part.v[d] = result[d];
    if (thread == 0u) {
        part.v[DIM_V] = largest;
        part.v[DIM_V + 1u] = sum;
    }
}
