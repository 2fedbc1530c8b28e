// Causal attention over the paged cache (kernels/ops/attention.h). A work group handles a tile of queries: HEADS heads that
// read one cache head, for up to ROWS neighbouring rows of one sequence; so that keys and values are read once for all.
//
// There is a work group for every row, but only that of a sequence's first row within ROWS rows does their work: the host need
// not know which rows belong together. A segment of 256 positions is done at once: a thread scores whole positions, the
// group takes maximum and sum as a fixed tree, then a thread adds up four dimensions of the values over each PARTS-th
// position. Segments merge in order into a running maximum, sum and vector. A position that a row does not see has weight zero
// and a segment without any leaves the three as they are: a row's result is that of the row alone. With splits, STAGE 0
// leaves each split's three in `partials` and STAGE 1 merges them in order; where a split has one segment the arithmetic is
// that of the unsplit run.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
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
layout(constant_id = 7) const uint HEADS = 1;
layout(constant_id = 8) const uint ROWS = 1;
layout(constant_id = 9) const uint SUBGROUP = 1;  // above 1: queries are handed round by shuffles of so many lanes
layout(constant_id = 10) const uint SHUFFLE_V = 0; // weights too
layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t q, y, positions, sequences, blockTable, cacheK, cacheV, sinks, partials, blockStride;
    uint rows, headCounts, headDims, tableStride, window;
    float scale, softCap;
    uint splitsAndTypes;
    uint chunk, valueStrideAndOffset, temperatureLength;
    float temperatureScale;
} op;

const uint SEGMENT = 256u;
const float NOTHING = -3.0e38; // below every score, and finite, so that differences stay numbers
const uint QUERIES = ROWS * HEADS; // query r * HEADS + h is head h of row r
const uint RESULTS = (DIM_V + THREADS - 1u) / THREADS; // of a query and thread: dimensions THREADS apart
// Threads that share a column of a segment's values, by position: a power of two.
const uint RATIO = THREADS * 4u / DIM_V;
const uint PARTS = RATIO >= 16u ? 16u : RATIO >= 8u ? 8u : RATIO >= 4u ? 4u : RATIO >= 2u ? 2u : 1u;
const uint WORK = THREADS > PARTS * DIM_V ? THREADS : PARTS * DIM_V;
shared float query[STAGE == 0u ? QUERIES * DIM_K : 1u];
shared float scores[STAGE == 0u ? QUERIES * SEGMENT : 1u];
shared float work[STAGE == 0u ? QUERIES * WORK : 1u]; // of the trees, then of the parts of the values' sums

uint heads() { return op.headCounts & 0xFFFFu; }
uint splits() { return op.splitsAndTypes & 0xFFFFu; }

// What the tile's rows see.
struct Tile {
    uint row, head, count, kvHead; // first row and head; number of rows
    uint64_t table;
    uint begin, position;             // first and last position that any row sees
    uint commonBegin, commonPosition; // that all rows see
    uint begins[ROWS], positions[ROWS];
    float scales[ROWS];
};

// The row of one position and cache head; its codes are at 0 where the block has left the window.
CacheRow cacheRow(uint64_t part, uint64_t table, uint kvHead, uint position, uint type, uint headDim) {
    const int block = ReadInts(table).v[position / BLOCK_TOKENS];
    if (block < 0) return CacheRow(0ul, 0ul);
    return rowAt(part + uint64_t(uint(block)) * op.blockStride, type, kvHead, position, headDim);
}

// The products of all queries with one key.
void multiplyKey(CacheRow key, out float sums[QUERIES]) {
    [[unroll]] for (uint q = 0u; q < QUERIES; ++q) sums[q] = 0.0;
    if (SUBGROUP > 1u) {
        for (uint first = 0u; first < DIM_K; first += SUBGROUP) {
            vec4 k[4];
            [[unroll]] for (uint i = 0u; i < SUBGROUP / 4u; ++i) k[i] = loadFour(key, TYPE_K, first / 4u + i);
            [[unroll]] for (uint q = 0u; q < QUERIES; ++q) {
                const float mine = query[q * DIM_K + first + gl_SubgroupInvocationID];
                [[unroll]] for (uint d = 0u; d < SUBGROUP; ++d)
                    sums[q] = fma(subgroupShuffle(mine, d), k[d / 4u][d % 4u], sums[q]);
            }
        }
    } else if (LONGS != 0u) {
        for (uint i = 0u; i < DIM_K / 4u; ++i) {
            const vec4 k = loadFour(key, TYPE_K, i);
            [[unroll]] for (uint q = 0u; q < QUERIES; ++q)
                [[unroll]] for (uint d = 0u; d < 4u; ++d) sums[q] = fma(query[q * DIM_K + 4u * i + d], k[d], sums[q]);
        }
    } else {
        for (uint i = 0u; i < DIM_K; ++i) {
            const float k = loadOne(key, TYPE_K, i);
            [[unroll]] for (uint q = 0u; q < QUERIES; ++q) sums[q] = fma(query[q * DIM_K + i], k, sums[q]);
        }
    }
}

// Leaves in `scores` those of the chunks of THREADS positions that hold any of [from, to) of a segment.
void scoreSegment(Tile tile, uint start, uint from, uint to, out float largest[QUERIES]) {
    [[unroll]] for (uint q = 0u; q < QUERIES; ++q) largest[q] = NOTHING;
    for (uint chunk = from / THREADS * THREADS; chunk < to; chunk += THREADS) {
        const uint j = chunk + gl_LocalInvocationIndex, position = start + j;
        CacheRow key = cacheRow(op.cacheK, tile.table, tile.kvHead, start + clamp(j, from, to - 1u), TYPE_K, DIM_K);
        const bool there = key.codes != 0ul;
        if (!there) key = CacheRow(op.cacheK, op.cacheK);
        float sums[QUERIES];
        multiplyKey(key, sums); // all threads: lanes hand values round
        [[unroll]] for (uint q = 0u; q < QUERIES; ++q) {
            float score = sums[q] * tile.scales[q / HEADS];
            if (op.softCap > 0.0) score = op.softCap * safeTanh(score / op.softCap);
            const bool seen = there && position >= tile.begins[q / HEADS] && position <= tile.positions[q / HEADS];
            score = seen ? score : NOTHING;
            scores[q * SEGMENT + j] = score;
            largest[q] = max(largest[q], score);
        }
    }
}

// Maxima, or sums, of all queries over the work group, as a fixed tree (include/reduce.glsl for many values at once).
void reduce(inout float values[QUERIES], bool sums) {
    const uint thread = gl_LocalInvocationIndex;
    [[unroll]] for (uint q = 0u; q < QUERIES; ++q) work[q * THREADS + thread] = values[q];
    barrier();
    for (uint width = THREADS / 2u; width > 0u; width /= 2u) {
        if (thread < width) {
            [[unroll]] for (uint q = 0u; q < QUERIES; ++q) {
                const uint place = q * THREADS + thread;
                work[place] = sums ? work[place] + work[place + width] : max(work[place], work[place + width]);
            }
        }
        barrier();
    }
    [[unroll]] for (uint q = 0u; q < QUERIES; ++q) values[q] = work[q * THREADS];
    barrier();
}

// Turns the scores into weights; gives this thread's sums of them.
void weighSegment(uint from, uint to, float largest[QUERIES], out float sums[QUERIES]) {
    [[unroll]] for (uint q = 0u; q < QUERIES; ++q) sums[q] = 0.0;
    for (uint chunk = from / THREADS * THREADS; chunk < to; chunk += THREADS)
        [[unroll]] for (uint q = 0u; q < QUERIES; ++q) {
            const uint place = q * SEGMENT + chunk + gl_LocalInvocationIndex;
            const float weight = scores[place] <= NOTHING ? 0.0 : exp(scores[place] - largest[q]);
            scores[place] = weight;
            sums[q] += weight;
        }
}

// Adds the weighted values of a position; `checked`: only for queries that see it, whatever its values are.
void addValue(CacheRow row, uint column, float weights[QUERIES], bool checked, inout vec4 sums[QUERIES]) {
    const vec4 v = LONGS != 0u ? loadFour(row, TYPE_V, column) : vec4(loadOne(row, TYPE_V, column), 0.0, 0.0, 0.0);
    [[unroll]] for (uint q = 0u; q < QUERIES; ++q)
        if (!checked || weights[q] > 0.0) sums[q] = fma(vec4(weights[q]), v, sums[q]);
}

// Adds the values of the blocks from `first` to `end` of a segment, of which positions [from, to) are seen.
void addBlocks(Tile tile, uint start, uvec2 blocks, uvec2 seen, uvec2 columnAndPart, bool checked, inout vec4 sums[QUERIES]) {
    const uint headDim = op.valueStrideAndOffset & 0xFFFFu;
    const uvec2 bytes = rowBytes(TYPE_V, headDim);
    const uint column = columnAndPart.x, part = columnAndPart.y;
    for (uint block = blocks.x; block < blocks.y; block += BLOCK_TOKENS) {
        const CacheRow rows = cacheRow(op.cacheV, tile.table, tile.kvHead, start + block, TYPE_V, headDim);
        if (rows.codes == 0ul) continue;
        if (SHUFFLE_V != 0u) {
            for (uint first = 0u; first < BLOCK_TOKENS / PARTS; first += SUBGROUP) {
                float mine[QUERIES];
                const uint place = block + part + (first + gl_SubgroupInvocationID) * PARTS;
                [[unroll]] for (uint q = 0u; q < QUERIES; ++q) mine[q] = scores[q * SEGMENT + place];
                [[unroll]] for (uint d = 0u; d < SUBGROUP; ++d) {
                    const int t = int(clamp(block + part + (first + d) * PARTS, seen.x, seen.y - 1u) - block);
                    float weights[QUERIES];
                    [[unroll]] for (uint q = 0u; q < QUERIES; ++q) weights[q] = subgroupShuffle(mine[q], d);
                    addValue(rowAfter(rows, t, bytes), column, weights, checked, sums);
                }
            }
        } else {
            for (uint t = part; t < BLOCK_TOKENS; t += PARTS) {
                if (block + t < seen.x || block + t >= seen.y) continue;
                float weights[QUERIES];
                [[unroll]] for (uint q = 0u; q < QUERIES; ++q) weights[q] = scores[q * SEGMENT + block + t];
                addValue(rowAfter(rows, int(t), bytes), column, weights, checked, sums);
            }
        }
    }
}

// Leaves in `work` the sums over parts of a segment's values, weighted by their scores.
void addValues(Tile tile, uint start, uint from, uint to) {
    const uint width = LONGS != 0u ? 4u : 1u, columns = DIM_V / width;
    const uvec2 seen = uvec2(from, to);
    // Blocks that all rows see as a whole lie between others, which need a look at each weight.
    const uint first = from / BLOCK_TOKENS * BLOCK_TOKENS, end = (to + BLOCK_TOKENS - 1u) / BLOCK_TOKENS * BLOCK_TOKENS;
    const uint commonFirst = tile.commonBegin > start ? tile.commonBegin - start + BLOCK_TOKENS - 1u : 0u;
    const uint commonEnd = tile.commonPosition + 1u > start ? tile.commonPosition + 1u - start : 0u;
    const uint middle = ROWS == 1u ? first : clamp(commonFirst / BLOCK_TOKENS * BLOCK_TOKENS, first, end);
    const uint last = ROWS == 1u ? end : clamp(commonEnd / BLOCK_TOKENS * BLOCK_TOKENS, middle, end);
    for (uint i = gl_LocalInvocationIndex; i < columns * PARTS; i += THREADS) {
        const uvec2 columnAndPart = uvec2(i % columns, i / columns);
        vec4 sums[QUERIES];
        [[unroll]] for (uint q = 0u; q < QUERIES; ++q) sums[q] = vec4(0.0);
        if (ROWS > 1u) addBlocks(tile, start, uvec2(first, middle), seen, columnAndPart, true, sums);
        addBlocks(tile, start, uvec2(middle, last), seen, columnAndPart, false, sums);
        if (ROWS > 1u) addBlocks(tile, start, uvec2(last, end), seen, columnAndPart, true, sums);
        [[unroll]] for (uint q = 0u; q < QUERIES; ++q)
            for (uint d = 0u; d < width; ++d)
                work[q * WORK + columnAndPart.y * DIM_V + columnAndPart.x * width + d] = sums[q][d];
    }
    barrier();
}

// Merges a maximum and a sum into the running ones.
void merge(inout float largest, inout float sum, float otherLargest, float otherSum) {
    const float top = max(largest, otherLargest);
    sum = sum * exp(largest - top) + otherSum * exp(otherLargest - top);
    largest = top;
}

// The factor that the values' sums still need: the sink joins the softmax's denominator.
float finalFactor(uint head, float largest, float sum) {
    if (op.sinks == 0ul) return 1.0 / sum;
    const float sink = ReadFloats(op.sinks).v[head];
    const float top = max(largest, sink), shrink = exp(largest - top);
    return shrink / (sum * shrink + exp(sink - top));
}

void mergePartials(uint row, uint head) {
    ReadFloats parts = ReadFloats(op.partials + rowOffset((row * heads() + head) * splits(), DIM_V + 2u));
    float result[RESULTS];
    for (uint i = 0u; i < RESULTS; ++i) result[i] = 0.0;
    float largest = NOTHING, sum = 0.0;
    for (uint s = 0u; s < splits(); ++s) {
        const uint first = s * (DIM_V + 2u);
        const float otherLargest = parts.v[first + DIM_V];
        if (otherLargest <= NOTHING) continue;
        const float top = max(largest, otherLargest);
        const float keep = exp(largest - top), take = exp(otherLargest - top);
        for (uint i = 0u; i < RESULTS; ++i) {
            const uint d = min(gl_LocalInvocationIndex + i * THREADS, DIM_V - 1u);
            result[i] = (sum == 0.0 ? 0.0 : result[i] * keep) + parts.v[first + d] * take;
        }
        merge(largest, sum, otherLargest, parts.v[first + DIM_V + 1u]);
    }
    const float factor = finalFactor(head, largest, sum);
    Floats y = Floats(op.y + rowOffset(row * heads() + head, DIM_V));
    for (uint i = 0u; i < RESULTS; ++i) {
        const uint d = gl_LocalInvocationIndex + i * THREADS;
        if (d < DIM_V) y.v[d] = result[i] * factor;
    }
}

// The tile of which `row` is the first; count 0 where an earlier row's work group does its work.
void findTile(uint row, uint head, out Tile tile) {
    tile.row = row;
    tile.head = head;
    tile.kvHead = head / (heads() / (op.headCounts >> 16));
    const int sequence = ReadInts(op.sequences).v[row];
    tile.count = row % ROWS != 0u && ReadInts(op.sequences).v[row - 1u] == sequence ? 0u : 1u;
    const uint end = min(row - row % ROWS + ROWS, op.rows);
    while (tile.count > 0u && row + tile.count < end && ReadInts(op.sequences).v[row + tile.count] == sequence) ++tile.count;
    tile.table = op.blockTable + rowOffset(uint(sequence), op.tableStride);
    for (uint r = 0u; r < ROWS; ++r) {
        // Rows that are not there do as the first. Never beyond the table, whatever a padding row holds.
        const uint index = row + (r < tile.count ? r : 0u);
        const uint position = min(uint(ReadInts(op.positions).v[index]), op.tableStride * BLOCK_TOKENS - 1u);
        uint begin = op.window > 0u && position + 1u > op.window ? position + 1u - op.window : 0u;
        if (op.chunk > 0u) begin = max(begin, position - position % op.chunk);
        float scale = op.scale;
        if (op.temperatureScale > 0.0) {
            const uint steps = (position + (op.valueStrideAndOffset >> 16)) / op.temperatureLength;
            scale *= op.temperatureScale * log(float(steps) + 1.0) + 1.0;
        }
        tile.begins[r] = begin;
        tile.positions[r] = position;
        tile.scales[r] = scale;
        tile.begin = r == 0u ? begin : min(tile.begin, begin);
        tile.position = r == 0u ? position : max(tile.position, position);
        tile.commonBegin = r == 0u ? begin : max(tile.commonBegin, begin);
        tile.commonPosition = r == 0u ? position : min(tile.commonPosition, position);
    }
}

void main() {
    if (STAGE == 1u) {
        if (workGroup() < op.rows * heads()) mergePartials(workGroup() / heads(), workGroup() % heads());
        return;
    }
    const uint headTiles = heads() / HEADS, unit = workGroup() / splits(), split = workGroup() % splits();
    if (unit / headTiles >= op.rows) return;
    Tile tile;
    findTile(unit / headTiles, (unit % headTiles) * HEADS, tile);
    if (tile.count == 0u) return;
    const uint thread = gl_LocalInvocationIndex;
    float largest[QUERIES], sum[QUERIES], result[QUERIES * RESULTS];
    [[unroll]] for (uint q = 0u; q < QUERIES; ++q) {
        const uint row = tile.row + (q / HEADS < tile.count ? q / HEADS : 0u);
        ReadFloats source = ReadFloats(op.q + rowOffset(row * heads() + tile.head + q % HEADS, DIM_K));
        for (uint d = thread; d < DIM_K; d += THREADS) query[q * DIM_K + d] = source.v[d];
        largest[q] = NOTHING;
        sum[q] = 0.0;
        [[unroll]] for (uint i = 0u; i < RESULTS; ++i) result[q * RESULTS + i] = 0.0;
    }
    barrier();
    const uint segments = tile.position / SEGMENT + 1u, perSplit = (segments + splits() - 1u) / splits();
    const uint last = min((split + 1u) * perSplit, segments);
    for (uint segment = max(split * perSplit, tile.begin / SEGMENT); segment < last; ++segment) {
        const uint start = segment * SEGMENT;
        const uint from = max(tile.begin, start) - start, to = min(tile.position + 1u - start, SEGMENT);
        float segmentLargest[QUERIES], segmentSum[QUERIES];
        scoreSegment(tile, start, from, to, segmentLargest);
        reduce(segmentLargest, false);
        weighSegment(from, to, segmentLargest, segmentSum);
        reduce(segmentSum, true);
        addValues(tile, start, from, to);
        [[unroll]] for (uint q = 0u; q < QUERIES; ++q) {
            const float top = max(largest[q], segmentLargest[q]);
            const float keep = exp(largest[q] - top), take = exp(segmentLargest[q] - top);
            [[unroll]] for (uint i = 0u; i < RESULTS; ++i) {
                const uint d = min(thread + i * THREADS, DIM_V - 1u);
                float value = work[q * WORK + d];
                for (uint part = 1u; part < PARTS; ++part) value += work[q * WORK + part * DIM_V + d];
                result[q * RESULTS + i] = result[q * RESULTS + i] * keep + value * take;
            }
            merge(largest[q], sum[q], segmentLargest[q], segmentSum[q]);
        }
        barrier();
    }
    [[unroll]] for (uint q = 0u; q < QUERIES; ++q) {
        if (q / HEADS >= tile.count) continue;
        const uint head = tile.head + q % HEADS, item = (tile.row + q / HEADS) * heads() + head;
        const bool whole = splits() == 1u;
        const float factor = whole ? finalFactor(head, largest[q], sum[q]) : 1.0;
        Floats target = Floats(whole ? op.y + rowOffset(item, DIM_V) : op.partials + rowOffset(item * splits() + split, DIM_V + 2u));
        [[unroll]] for (uint i = 0u; i < RESULTS; ++i) {
            const uint d = thread + i * THREADS;
            if (d < DIM_V) target.v[d] = result[q * RESULTS + i] * factor;
        }
        if (!whole && thread == 0u) {
            target.v[DIM_V] = largest[q];
            target.v[DIM_V + 1u] = sum[q];
        }
    }
}
