// Attention of some rows of one sequence to one cache head, segment by segment of 256 positions.
//
// For a segment: keys are turned to [headDim][tokens] and values to [tokens][headDim] float32 once, for all rows and all
// heads that share them; scores, weights and the weighted values are then two float products (float_tile.h). A segment
// gives a maximum, a sum and values per query, and segments merge in order, so splitting them over workers changes nothing.
// Positions that a row may not see have weight 0; memory that no row may see is not read.
// Included after a vector header, by the translation units of one instruction set each.
#pragma once

#include "engine/backend/cpu/cache_rows.h"

#include "engine/backend/cpu/float_tile.h"
#include "engine/backend/cpu/kernel_table.h"

namespace {

using namespace steelyard;
using cpu::AttentionPart;

struct AttentionKernel {
    using Floats = Simd::Floats;
    static constexpr uint32_t kLanes = Simd::kLanes;
    // Distance of rows of tokens: not a power of two, or columns would share few lines of the cache.
    static constexpr uint32_t kTokenStride = ops::kSegmentTokens + kLanes;

    // How far ahead of a position its neighbours are asked for: blocks lie anywhere in memory.
    static constexpr uint32_t kPositionsAhead = 16;

    [[gnu::always_inline]] static void prefetch(const ops::CacheRow& row, uint32_t bytes) {
        for (uint32_t byte = 0; byte < bytes; byte += 64) Simd::prefetch(row.codes + byte);
    }

    static constexpr uint32_t padded(uint32_t count) { return (count + kLanes - 1) / kLanes * kLanes; }

    // Where a worker's scratch lies.
    struct Scratch {
        float *queries, *scores, *keyRows, *keys, *values, *segment, *running;
        uint32_t widthK, widthV; // padded head sizes
        uint32_t strideV;        // distance of the values' rows, likewise no power of two
        uint32_t stateWidth;     // maximum, sum, values
        uint64_t total;

        Scratch(const ops::Attention& op, uint32_t queryCount, float* base) {
            widthK = padded(op.headDimK);
            widthV = padded(op.headDimV);
            strideV = widthV + kLanes;
            stateWidth = widthV + kLanes;
            uint64_t offset = 0;
            const auto take = [&](uint64_t floats) {
                float* start = base ? base + offset : nullptr;
                offset += floats;
                return start;
            };
            queries = take(uint64_t(queryCount) * op.headDimK + kLanes);
            scores = take(uint64_t(queryCount) * kTokenStride);
            keyRows = take(uint64_t(kLanes) * widthK);
            keys = take(uint64_t(widthK) * kTokenStride);
            values = take(uint64_t(strideV) * ops::kSegmentTokens);
            segment = take(uint64_t(queryCount) * stateWidth);
            running = take(uint64_t(queryCount) * stateWidth);
            total = offset;
        }
    };

    struct Range {
        uint32_t first, last; // positions [first, last)
    };

    static uint32_t positionOf(const ops::Attention& op, uint32_t row) {
        return static_cast<uint32_t>(RowKernels::at<const int32_t>(op.positions)[row]);
    }
    static Range seen(const ops::Attention& op, uint32_t row) {
        const uint32_t position = positionOf(op, row);
        return {ops::firstVisible(op, position), position + 1};
    }
    static Range seenByAny(const ops::Attention& op, uint32_t firstRow, uint32_t lastRow) {
        Range all = seen(op, firstRow);
        for (uint32_t row = firstRow + 1; row < lastRow; ++row) {
            const Range own = seen(op, row);
            if (own.first < all.first) all.first = own.first;
            if (own.last > all.last) all.last = own.last;
        }
        return all;
    }

    static void clearRow(float* out, uint32_t width) {
        for (uint32_t i = 0; i < width; i += kLanes) Simd::store(out + i, Simd::zero());
    }

    // Keys and values of positions [first, first + count) as floats; outside `range` zeros.
    static void loadSegment(const AttentionPart& part, const Scratch& s, uint32_t first, uint32_t count, Range range) {
        const ops::Attention& op = *part.op;
        const uint64_t sequence = static_cast<uint32_t>(RowKernels::at<const int32_t>(op.sequences)[part.firstRow]);
        const int32_t* table = RowKernels::at<const int32_t>(op.blockTable) + sequence * op.tableStride;
        const auto typeK = static_cast<ops::CacheType>(op.typeK), typeV = static_cast<ops::CacheType>(op.typeV);
        const auto blockOf = [&](uint32_t position) { return position >= range.first && position < range.last ? table[position / ops::kBlockTokens] : -1; };
        const auto keyAt = [&](int32_t block, uint32_t position) {
            return ops::cacheRowAt(RowKernels::at<const uint8_t>(op.cacheK + static_cast<uint64_t>(block) * op.blockStride), typeK, part.kvHead, position, op.headDimK);
        };
        const auto valueAt = [&](int32_t block, uint32_t position) {
            return ops::cacheRowAt(RowKernels::at<const uint8_t>(op.cacheV + static_cast<uint64_t>(block) * op.blockStride), typeV, part.kvHead, position, op.valueStride);
        };
        for (uint32_t t = 0; t < count; ++t) {
            const uint32_t position = first + t;
            float *key = s.keyRows + uint64_t(t % kLanes) * s.widthK, *value = s.values + uint64_t(t) * s.strideV;
            if (const int32_t ahead = blockOf(position + kPositionsAhead); ahead >= 0) {
                prefetch(keyAt(ahead, position + kPositionsAhead), ops::cacheCodeBytes(typeK, op.headDimK));
                prefetch(valueAt(ahead, position + kPositionsAhead), ops::cacheCodeBytes(typeV, op.headDimV));
            }
            const int32_t block = blockOf(position);
            if (block < 0) {
                clearRow(key, s.widthK);
                clearRow(value, s.widthV);
            } else {
                CacheRows::read(typeK, keyAt(block, position), op.headDimK, key);
                CacheRows::read(typeV, valueAt(block, position), op.headDimV, value);
            }
            if (t % kLanes != kLanes - 1) continue;
            for (uint32_t d = 0; d < s.widthK; d += kLanes)
                Simd::transpose(s.keyRows + d, s.widthK, s.keys + uint64_t(d) * kTokenStride + t + 1 - kLanes, kTokenStride);
        }
    }

    // Scores of one query become weights; gives the maximum and the sum. Positions outside [first, last) get weight 0.
    static void weigh(const ops::Attention& op, float scoreScale, float* scores, uint32_t count, uint32_t first, uint32_t last,
                      float* state) {
        const Floats scale = Simd::set1(scoreScale), cap = Simd::set1(op.softCap), lowest = Simd::set1(-INFINITY);
        const uint32_t from = first / kLanes * kLanes, to = padded(last);
        Floats most = lowest;
        for (uint32_t t = from; t < to; t += kLanes) {
            Floats v = Simd::mul(Simd::load(scores + t), scale);
            if (op.softCap > 0.0f) v = Simd::mul(cap, VectorMath::tanh(Simd::div(v, cap)));
            Simd::store(scores + t, v);
        }
        for (uint32_t t = from; t < first; ++t) scores[t] = -INFINITY;
        for (uint32_t t = last; t < to; ++t) scores[t] = -INFINITY;
        for (uint32_t t = from; t < to; t += kLanes) most = Simd::max(most, Simd::load(scores + t));
        state[0] = Simd::largest(most);
        const Floats largest = Simd::set1(state[0]);
        for (uint32_t t = from; t < to; t += kLanes)
            Simd::store(scores + t, VectorMath::exp(Simd::sub(Simd::load(scores + t), largest)));
        for (uint32_t t = 0; t < first; ++t) scores[t] = 0.0f;
        for (uint32_t t = last; t < count; ++t) scores[t] = 0.0f;
        Floats sum = Simd::zero();
        for (uint32_t t = 0; t < count; t += kLanes) sum = Simd::add(sum, Simd::load(scores + t));
        state[1] = Simd::sum(sum);
    }

    // One segment of all queries of the part; a query that sees nothing of it has a sum of 0.
    static void attendSegment(const AttentionPart& part, const Scratch& s, uint32_t index, Range range, float* states) {
        const ops::Attention& op = *part.op;
        const uint32_t group = op.heads / op.kvHeads, queries = (part.lastRow - part.firstRow) * group;
        const uint32_t begin = index * ops::kSegmentTokens, end = begin + ops::kSegmentTokens;
        const uint32_t first = (range.first > begin ? range.first : begin) / kLanes * kLanes;
        const uint32_t count = padded((range.last < end ? range.last : end) - first);
        loadSegment(part, s, first, count, range);
        FloatTile::matrix(s.queries, op.headDimK, queries, op.headDimK, s.keys, kTokenStride, count, s.scores, kTokenStride);
        for (uint32_t i = 0; i < queries; ++i) {
            const uint32_t row = part.firstRow + i / group;
            const Range own = seen(op, row);
            const uint32_t ownFirst = own.first > first ? own.first - first : 0;
            const uint32_t ownLast = own.last > first ? (own.last - first < count ? own.last - first : count) : 0;
            float *scores = s.scores + uint64_t(i) * kTokenStride, *state = states + uint64_t(i) * s.stateWidth;
            if (ownFirst < ownLast) {
                weigh(op, ops::scoreScale(op, positionOf(op, row)), scores, count, ownFirst, ownLast, state);
            } else {
                state[0] = state[1] = 0.0f;
                clearRow(scores, count);
            }
        }
        FloatTile::matrix(s.scores, kTokenStride, queries, count, s.values, s.strideV, s.widthV, states + kLanes, s.stateWidth);
    }

    // running = running and `segment` together; both are maximum, sum, values.
    static void merge(float* running, const float* segment, uint32_t width) {
        if (segment[1] == 0.0f) return;
        if (running[1] == 0.0f) {
            std::memcpy(running, segment, (kLanes + width) * sizeof(float));
            return;
        }
        const float largest = running[0] > segment[0] ? running[0] : segment[0];
        const float own = VectorMath::exp(running[0] - largest), other = VectorMath::exp(segment[0] - largest);
        running[0] = largest;
        running[1] = running[1] * own + segment[1] * other;
        const Floats ownV = Simd::set1(own), otherV = Simd::set1(other);
        for (uint32_t i = kLanes; i < kLanes + width; i += kLanes)
            Simd::store(running + i, Simd::fma(Simd::load(segment + i), otherV, Simd::mul(Simd::load(running + i), ownV)));
    }

    // The sink, the division and the output of one query.
    static void finish(const ops::Attention& op, const float* running, uint32_t row, uint32_t head) {
        float shrink = 1.0f, sum = running[1];
        if (op.sinks) {
            const float sink = RowKernels::at<const float>(op.sinks)[head], largest = sink > running[0] ? sink : running[0];
            shrink = VectorMath::exp(running[0] - largest);
            sum = sum * shrink + VectorMath::exp(sink - largest);
        }
        const Floats factor = Simd::set1(shrink / sum);
        float* y = RowKernels::at<float>(op.y) + (uint64_t(row) * op.heads + head) * op.headDimV;
        RowKernels::eachValue(0, op.headDimV, y, [&](auto&& load) { return Simd::mul(load(running + kLanes), factor); });
    }

    static void finishAll(const AttentionPart& part, const Scratch& s) {
        const uint32_t group = part.op->heads / part.op->kvHeads;
        for (uint32_t i = 0; i < (part.lastRow - part.firstRow) * group; ++i)
            finish(*part.op, s.running + uint64_t(i) * s.stateWidth, part.firstRow + i / group, part.kvHead * group + i % group);
    }

    static void run(const AttentionPart& part) {
        const ops::Attention& op = *part.op;
        const uint32_t group = op.heads / op.kvHeads, rows = part.lastRow - part.firstRow, queries = rows * group;
        const Scratch s(op, queries, part.scratch);
        for (uint32_t row = 0; row < rows; ++row)
            std::memcpy(s.queries + uint64_t(row) * group * op.headDimK,
                        RowKernels::at<const float>(op.q) + (uint64_t(part.firstRow + row) * op.heads + part.kvHead * group) * op.headDimK,
                        uint64_t(group) * op.headDimK * sizeof(float));
        const Range range = seenByAny(op, part.firstRow, part.lastRow);
        for (uint32_t i = 0; i < queries; ++i) s.running[uint64_t(i) * s.stateWidth + 1] = 0.0f;
        for (uint32_t segment = part.firstSegment; segment < part.lastSegment; ++segment) {
            if (part.partials) {
                attendSegment(part, s, segment, range,
                              part.partials + uint64_t(segment - part.firstSegment) * queries * s.stateWidth);
                continue;
            }
            attendSegment(part, s, segment, range, s.segment);
            for (uint32_t i = 0; i < queries; ++i)
                merge(s.running + uint64_t(i) * s.stateWidth, s.segment + uint64_t(i) * s.stateWidth, s.widthV);
        }
        if (!part.partials) finishAll(part, s);
    }

    static void mergeAll(const AttentionPart& part, const float* partials, uint32_t segments) {
        const ops::Attention& op = *part.op;
        const uint32_t queries = (part.lastRow - part.firstRow) * (op.heads / op.kvHeads);
        const Scratch s(op, queries, part.scratch);
        for (uint32_t i = 0; i < queries; ++i) s.running[uint64_t(i) * s.stateWidth + 1] = 0.0f;
        for (uint32_t segment = 0; segment < segments; ++segment)
            for (uint32_t i = 0; i < queries; ++i)
                merge(s.running + uint64_t(i) * s.stateWidth, partials + (uint64_t(segment) * queries + i) * s.stateWidth, s.widthV);
        finishAll(part, s);
    }

    static uint64_t scratch(const ops::Attention& op, uint32_t rows) {
        return Scratch(op, rows * (op.heads / op.kvHeads), nullptr).total;
    }
};

} // namespace
