// A block of 128 threads per tile of rows, group of query heads with one cache head, and part of the positions. Parts exist
// where the rows alone would not fill the card, and a second kernel merges them (attention.cuh); a tile is one row, or
// several where even then the blocks fill the card. The rows of a tile that belong to one sequence share what is read of
// its cache; those of another sequence follow.
//
// Per segment of 256 positions: a thread makes the scores of two positions for all queries (rows times heads), reading each
// key once; the block finds maximum and sum of each; then threads take a dimension each and add the weighted values, with
// several strips of positions where the head is narrower than the block. What a row does not attend has weight 0, so a
// row's sums are the same in every tile. Bound by the bytes of the cache for few rows, by arithmetic for many.
#include "kernels/device/arithmetic.h"
#include "kernels/device/reduce.h"
#include "kernels/device/vector_load.h"
#include "kernels/ops/attention.cuh"

namespace steelyard::kernels {

namespace {

constexpr uint32_t kThreads = 128;
constexpr uint32_t kSharedLimit = 64 * 1024; // every card gives so much to a block that asks for it
constexpr uint32_t kTileQueries = 8;         // rows times heads of a tile of several rows, at most
constexpr uint64_t kEnoughBlocks = 256;      // fill a card
constexpr uint32_t kBlocksPerSegment = ops::kSegmentTokens / ops::kBlockTokens;

// y of one head from its finished sum: the sink joins the denominator, then the division.
template <class AnyThread>
__device__ void storeHead(const AnyThread& thread, const ops::Attention& op, uint32_t head, uint64_t item, const float* vector,
                          float largest, float sum) {
    float factor = 1.0f;
    if (op.sinks) {
        const float sink = ops::at<const float>(op.sinks)[head];
        const float both = fmaxf(largest, sink);
        factor = expf(largest - both);
        sum = multiplyAdd(sum, factor, expf(sink - both));
    }
    float* y = ops::at<float>(op.y) + item * op.headDimV;
    for (uint32_t i = thread.index(); i < op.headDimV; i += kThreads) y[i] = vector[i] * factor / sum;
}

// How a thread reads one value: the ordinary type by itself, all others by looking at their type, which is the same for the
// whole grid.
struct HalfValue {
    static __device__ float load(ops::CacheType, const ops::CacheRow& row, uint32_t index) { return F16::load(row.codes, index); }
};
struct AnyValue {
    static __device__ float load(ops::CacheType type, const ops::CacheRow& row, uint32_t index) { return ops::loadCacheValue(type, row, index); }
};

template <uint32_t kHeads, uint32_t kRows>
struct AttentionKernel {
    static constexpr uint32_t kThreads = kernels::kThreads;
    static constexpr uint32_t kQueries = kHeads * kRows; // query n is head n % kHeads of row n / kHeads
    struct Shared {
        alignas(16) float scores[kQueries][ops::kSegmentTokens];
        float strips[kThreads];
        ReduceScratch<kThreads / 32, kQueries> scratch;
        uint64_t blocks[kBlocksPerSegment]; // byte offsets of the segment's cache blocks
    };
    // The queries [kQueries, headDimK], then a tree per query.
    static uint32_t dynamicBytes(const ops::Attention& op) {
        const uint32_t tree = SegmentTree::floats(treeLevels(segmentsPerPart(op)), op.headDimV);
        return kQueries * (op.headDimK + tree) * static_cast<uint32_t>(sizeof(float));
    }

    // What the threads of a block have in common: rows of one sequence, and what they attend.
    struct Work {
        const ops::Attention& op;
        uint32_t firstRow, rows = 1, firstHead, kvHead;
        float* memory;               // dynamicBytes
        AttendedRange ranges[kRows]; // none for rows that are not there
        AttendedRange all;           // each position in it is attended by a row
        float scales[kRows] = {};    // of the scores

        // As many rows from `row` to before `end` as share a sequence and attend ranges without a gap.
        __device__ Work(const ops::Attention& attention, uint32_t row, uint32_t end, uint32_t head, float* shared)
            : op(attention), firstRow(row), firstHead(head), kvHead(head / (attention.heads / attention.kvHeads)), memory(shared),
              all(rangeOf(0)) {
            ranges[0] = all;
            scales[0] = ops::scoreScale(op, all.last);
            const int32_t* sequences = ops::at<const int32_t>(op.sequences);
            for (uint32_t r = 1; r < kRows; ++r) {
                if (r != rows || row + r >= end || sequences[row + r] != sequences[row]) continue;
                const AttendedRange next = rangeOf(r);
                if (next.first > all.last + 1 || all.first > next.last + 1) continue;
                ranges[r] = next;
                scales[r] = ops::scoreScale(op, next.last);
                all.join(next);
                ++rows;
            }
        }
        __device__ AttendedRange rangeOf(uint32_t r) const {
            return {op, static_cast<uint32_t>(ops::at<const int32_t>(op.positions)[firstRow + r])};
        }
        __device__ uint64_t item(uint32_t n) const { return uint64_t(firstRow + n / kHeads) * op.heads + firstHead + n % kHeads; }
        __device__ SegmentTree tree(uint32_t n, uint32_t (&filled)[kQueries]) const {
            const uint32_t levels = treeLevels(segmentsPerPart(op));
            float* trees = memory + kQueries * op.headDimK;
            return {trees + n * SegmentTree::floats(levels, op.headDimV), levels, op.headDimV, filled[n]};
        }
    };

    // Scores of one position for all queries, of a coded type, group by group.
    template <class Format, class AnyThread>
    static __device__ void dotCodes(const AnyThread&, const Work& work, const ops::CacheRow& key, float (&scores)[kQueries]) {
        constexpr ops::CacheGroupBytes bytes = ops::groupBytesOf<Format>();
        const uint32_t dims = work.op.headDimK;
        for (uint32_t group = 0; group < dims / ops::kCacheGroup; ++group) {
            alignas(16) uint8_t codes[bytes.codes];
            loadBytes<bytes.codes>(key.codes + group * bytes.codes, codes);
            Unpacked32 k;
            Format::unpackApart(key.heads + group * bytes.head, codes, k);
            for (uint32_t i = 0; i < ops::kCacheGroup; ++i) {
                const float value = multiplyAdd(k.scale[0], static_cast<float>(k.codes[i]), k.minimum[0]);
                for (uint32_t n = 0; n < kQueries; ++n)
                    scores[n] = multiplyAdd(work.memory[n * dims + group * ops::kCacheGroup + i], value, scores[n]);
            }
        }
    }

    // Scores of one position for all queries.
    template <class AnyThread>
    static __device__ void dotRow(const AnyThread& thread, const Work& work, ops::CacheType type, const ops::CacheRow& key,
                                  float (&scores)[kQueries]) {
        switch (type) {
        case ops::CacheType::F32: dotKey<F32>(thread, work, key.codes, scores); break;
        case ops::CacheType::F16: dotKey<F16>(thread, work, key.codes, scores); break;
        case ops::CacheType::BF16: dotKey<BF16>(thread, work, key.codes, scores); break;
        case ops::CacheType::F8_E4M3: dotKey<F8_E4M3>(thread, work, key.codes, scores); break;
        case ops::CacheType::Q8_0: dotCodes<Q8_0>(thread, work, key, scores); break;
        case ops::CacheType::Q5_1: dotCodes<Q5_1>(thread, work, key, scores); break;
        case ops::CacheType::IQ4_NL: dotCodes<IQ4_NL>(thread, work, key, scores); break;
        case ops::CacheType::Q4_0: dotCodes<Q4_0>(thread, work, key, scores); break;
        case ops::CacheType::MXFP4: dotCodes<MXFP4>(thread, work, key, scores); break;
        }
    }

    // Of a type of floating point.
    template <class Value, class AnyThread>
    static __device__ void dotKey(const AnyThread&, const Work& work, const uint8_t* key, float (&scores)[kQueries]) {
        const uint32_t dims = work.op.headDimK;
        if (dims % 8 == 0 && (reinterpret_cast<uintptr_t>(key) & 15u) == 0) {
            for (uint32_t i = 0; i < dims; i += 8) {
                float k[8];
                loadEight<Value>(key, i, k);
                for (uint32_t n = 0; n < kQueries; ++n) {
                    float q[8];
                    loadEight<F32>(reinterpret_cast<const uint8_t*>(work.memory + n * dims), i, q);
                    for (uint32_t d = 0; d < 8; ++d) scores[n] = multiplyAdd(q[d], k[d], scores[n]);
                }
            }
            return;
        }
        for (uint32_t i = 0; i < dims; ++i)
            for (uint32_t n = 0; n < kQueries; ++n)
                scores[n] = multiplyAdd(work.memory[n * dims + i], Value::load(key, i), scores[n]);
    }

    // Fills shared.scores with the weights of a segment; largest and sums are those of the segment.
    static __device__ void weigh(const Thread& thread, Shared& shared, const Work& work, uint32_t start,
                                 float (&largest)[kQueries], float (&sums)[kQueries]) {
        const ops::Attention& op = work.op;
        const ops::CacheType type = static_cast<ops::CacheType>(op.typeK);
        for (uint32_t n = 0; n < kQueries; ++n) {
            largest[n] = -INFINITY;
            sums[n] = 0.0f;
        }
        for (uint32_t t = thread.index(); t < ops::kSegmentTokens; t += kThreads) {
            const uint32_t j = start + t;
            float scores[kQueries] = {};
            if (work.all.has(j)) {
                const auto* part = ops::at<const uint8_t>(op.cacheK + shared.blocks[t / ops::kBlockTokens]);
                dotRow(thread, work, type, ops::cacheRowAt(part, type, work.kvHead, j, op.headDimK), scores);
            }
            for (uint32_t n = 0; n < kQueries; ++n) {
                const AttendedRange& range = work.ranges[n / kHeads];
                float score = range.has(j) ? scores[n] * work.scales[n / kHeads] : -INFINITY;
                if (op.softCap > 0.0f && range.has(j)) score = op.softCap * tanhf(score / op.softCap);
                shared.scores[n][t] = score;
                largest[n] = fmaxf(largest[n], score);
            }
        }
        blockMaximum(thread, largest, shared.scratch);
        for (uint32_t t = thread.index(); t < ops::kSegmentTokens; t += kThreads)
            for (uint32_t n = 0; n < kQueries; ++n) {
                const bool attended = work.ranges[n / kHeads].has(start + t);
                const float weight = attended ? expf(shared.scores[n][t] - largest[n]) : 0.0f;
                shared.scores[n][t] = weight;
                sums[n] += weight;
            }
        blockSum(thread, sums, shared.scratch);
    }

    // Puts the weighted sum of a segment's values into the trees' current vectors.
    template <class Value>
    static __device__ void addValues(const Thread& thread, Shared& shared, const Work& work, uint32_t start,
                                     uint32_t (&filled)[kQueries]) {
        constexpr uint32_t kStep = 4; // positions that a thread takes at once
        const ops::Attention& op = work.op;
        const ops::CacheType type = static_cast<ops::CacheType>(op.typeV);
        uint32_t width = 1; // threads of a strip
        while (width < kThreads && width < op.headDimV) width *= 2;
        const uint32_t strips = kThreads / width, strip = thread.index() / width;
        const uint32_t from = work.all.first > start ? work.all.first - start : 0;
        const uint32_t last = work.all.last - start < ops::kSegmentTokens ? work.all.last - start : ops::kSegmentTokens - 1;
        for (uint32_t first = 0; first < op.headDimV; first += width) {
            const uint32_t dim = first + thread.index() % width;
            float sums[kQueries] = {};
            for (uint32_t t = strip * kStep; dim < op.headDimV && t <= last; t += strips * kStep) {
                if (t + kStep <= from) continue;
                float values[kStep];
                for (uint32_t i = 0; i < kStep; ++i) { // beyond the range: any value that is there, of weight 0
                    const uint32_t place = t + i < from ? from : t + i > last ? last : t + i;
                    const auto* part = ops::at<const uint8_t>(op.cacheV + shared.blocks[place / ops::kBlockTokens]);
                    values[i] = Value::load(type, ops::cacheRowAt(part, type, work.kvHead, start + place, op.valueStride), dim);
                }
                for (uint32_t n = 0; n < kQueries; ++n) {
                    alignas(16) float weights[kStep];
                    loadBytes<sizeof weights>(&shared.scores[n][t], weights);
                    for (uint32_t i = 0; i < kStep; ++i) sums[n] = multiplyAdd(weights[i], values[i], sums[n]);
                }
            }
            for (uint32_t n = 0; n < kQueries; ++n) {
                if (strips > 1) { // the same for the whole block
                    shared.strips[thread.index()] = sums[n];
                    thread.barrier();
                    for (uint32_t other = 1; strip == 0 && other < strips; ++other)
                        sums[n] += shared.strips[thread.index() + other * width];
                    thread.barrier();
                }
                if (strip == 0 && dim < op.headDimV) work.tree(n, filled).current()[dim] = sums[n];
            }
        }
    }

    // The rows of one sequence, and the segments of one part.
    static __device__ void attend(const Thread& thread, Shared& shared, const Work& work, uint32_t part) {
        const ops::Attention& op = work.op;
        const uint32_t perPart = segmentsPerPart(op), begin = part * perPart;
        if (begin > work.all.lastSegment || begin + perPart <= work.all.firstSegment) return; // nothing in this part
        const uint32_t sequence = static_cast<uint32_t>(ops::at<const int32_t>(op.sequences)[work.firstRow]);
        const int32_t* table = ops::at<const int32_t>(op.blockTable) + uint64_t(sequence) * op.tableStride;
        for (uint32_t n = 0; n < work.rows * kHeads; ++n)
            for (uint32_t i = thread.index(); i < op.headDimK; i += kThreads)
                work.memory[n * op.headDimK + i] = ops::at<const float>(op.q)[work.item(n) * op.headDimK + i];
        uint32_t filled[kQueries] = {};
        float largest[kQueries] = {}, sums[kQueries] = {};
        for (uint32_t index = 0; index < perPart; ++index) {
            const uint32_t segment = begin + index, start = segment * ops::kSegmentTokens;
            if (!work.all.hasSegment(segment)) continue;
            const uint32_t firstBlock = segment * kBlocksPerSegment + thread.index();
            if (thread.index() < kBlocksPerSegment && firstBlock < op.tableStride)
                shared.blocks[thread.index()] = static_cast<uint64_t>(table[firstBlock]) * op.blockStride;
            thread.barrier();
            weigh(thread, shared, work, start, largest, sums);
            if (static_cast<ops::CacheType>(op.typeV) == ops::CacheType::F16) addValues<HalfValue>(thread, shared, work, start, filled);
            else addValues<AnyValue>(thread, shared, work, start, filled);
            for (uint32_t n = 0; n < kQueries; ++n)
                if (work.ranges[n / kHeads].hasSegment(segment)) work.tree(n, filled).add(thread, kThreads, index, largest[n], sums[n]);
            thread.barrier(); // before the next segment writes what this one read
        }
        for (uint32_t n = 0; n < kQueries; ++n) {
            if (filled[n] == 0) continue;
            SegmentTree tree = work.tree(n, filled);
            tree.finish(thread, kThreads, largest[n], sums[n]);
            if (op.splits == 1) {
                storeHead(thread, op, work.firstHead + n % kHeads, work.item(n), tree.current(), largest[n], sums[n]);
                continue;
            }
            float* partial = ops::at<float>(op.partials) + (work.item(n) * op.splits + part) * (op.headDimV + 2);
            for (uint32_t i = thread.index(); i < op.headDimV; i += kThreads) partial[i] = tree.current()[i];
            if (thread.index() == 0) {
                partial[op.headDimV] = largest[n];
                partial[op.headDimV + 1] = sums[n];
            }
        }
    }

    static __device__ void run(const Thread& thread, Shared& shared, const ops::Attention& op) {
        const uint32_t begin = thread.blockX() * kRows, end = begin + kRows < op.rows ? begin + kRows : op.rows;
        for (uint32_t row = begin; row < end;) {
            if (row > begin) thread.barrier(); // before these rows write what the last ones read
            const Work work(op, row, end, thread.blockY() * kHeads, thread.dynamicShared<float>());
            attend(thread, shared, work, thread.blockZ());
            row += work.rows;
        }
    }
};

// Merges the parts of one head of one row.
struct MergeKernel {
    static constexpr uint32_t kThreads = kernels::kThreads;
    struct Shared {};

    static uint32_t dynamicBytes(const ops::Attention& op) {
        return SegmentTree::floats(treeLevels(op.splits), op.headDimV) * static_cast<uint32_t>(sizeof(float));
    }

    static __device__ void run(const Thread& thread, Shared&, const ops::Attention& op) {
        const uint32_t row = thread.blockX(), head = thread.blockY();
        const uint64_t item = uint64_t(row) * op.heads + head;
        const AttendedRange range(op, static_cast<uint32_t>(ops::at<const int32_t>(op.positions)[row]));
        const uint32_t perPart = segmentsPerPart(op);
        uint32_t filled = 0;
        SegmentTree tree(thread.dynamicShared<float>(), treeLevels(op.splits), op.headDimV, filled);
        float largest = 0.0f, sum = 0.0f;
        for (uint32_t part = range.firstSegment / perPart; part <= range.lastSegment / perPart; ++part) {
            const float* partial = ops::at<const float>(op.partials) + (item * op.splits + part) * (op.headDimV + 2);
            for (uint32_t i = thread.index(); i < op.headDimV; i += kThreads) tree.current()[i] = partial[i];
            tree.add(thread, kThreads, part, partial[op.headDimV], partial[op.headDimV + 1]);
            thread.barrier();
        }
        tree.finish(thread, kThreads, largest, sum);
        storeHead(thread, op, head, item, tree.current(), largest, sum);
    }
};

// Starts the kernel for tiles of kRows rows and groups of kHeads heads, if that suits the op.
template <uint32_t kHeads, uint32_t kRows>
bool launchTiles(const ops::Attention& op, void* stream) {
    using Kernel = AttentionKernel<kHeads, kRows>;
    const uint32_t dynamicBytes = Kernel::dynamicBytes(op);
    if (op.heads / op.kvHeads % kHeads != 0 || sizeof(typename Kernel::Shared) + dynamicBytes > kSharedLimit) return false;
    const Grid grid{blocksFor(op.rows, kRows), op.heads / kHeads, op.splits, dynamicBytes};
    if (kRows > 1 && uint64_t(grid.x) * grid.y * grid.z < kEnoughBlocks) return false;
    launch<Kernel>(grid, stream, op);
    if (op.splits > 1) launch<MergeKernel>({op.rows, op.heads, 1, MergeKernel::dynamicBytes(op)}, stream, op);
    return true;
}

template <uint32_t kHeads>
bool launchGroups(const ops::Attention& op, void* stream) {
    return launchTiles<kHeads, kTileQueries / kHeads>(op, stream) || launchTiles<kHeads, 1>(op, stream);
}

} // namespace

template <>
const char* launchOp<Target>(const ops::Attention& op, void* stream) {
    if (op.splits > 1 && op.partials == 0) return "it has no room for partial results";
    if (launchGroups<4>(op, stream) || launchGroups<3>(op, stream) || launchGroups<2>(op, stream) || launchGroups<1>(op, stream))
        return nullptr;
    return "its heads are too wide for the shared memory of a block";
}

} // namespace steelyard::kernels
