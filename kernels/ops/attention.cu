// A block of 128 threads per row, group of query heads with one cache head, and part of the positions; parts exist where
// the rows alone would not fill the card, and a second kernel merges them (attention.cuh).
//
// Per segment of 256 positions: a thread makes the scores of two positions for all heads of the group, reading each key
// once; the block finds maximum and sum; then threads take a dimension each and add the weighted values, with several
// strips of positions where the head is narrower than the block. Bound by the bytes of the cache for few rows.
#include "kernels/device/arithmetic.h"
#include "kernels/device/reduce.h"
#include "kernels/device/vector_load.h"
#include "kernels/ops/attention.cuh"

namespace steelyard::kernels {

namespace {

constexpr uint32_t kThreads = 128;
constexpr uint32_t kSharedLimit = 40 * 1024; // of the 48 KiB that every card gives
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

template <uint32_t kHeads>
struct AttentionKernel {
    static constexpr uint32_t kThreads = kernels::kThreads;
    struct Shared {
        float scores[kHeads][ops::kSegmentTokens];
        float strips[kThreads];
        ReduceScratch<kThreads / 32, kHeads> scratch;
        uint64_t blocks[kBlocksPerSegment]; // byte offsets of the segment's cache blocks
    };
    // The queries [kHeads, headDimK], then a tree per head.
    static uint32_t dynamicBytes(const ops::Attention& op) {
        const uint32_t tree = SegmentTree::floats(treeLevels(segmentsPerPart(op)), op.headDimV);
        return kHeads * (op.headDimK + tree) * static_cast<uint32_t>(sizeof(float));
    }

    // What the threads of a block have in common.
    struct Work {
        const ops::Attention& op;
        uint32_t kvHead;
        AttendedRange range;
        const float* q;
    };

    // Scores of one position for all heads of the group.
    template <class Value, class AnyThread>
    static __device__ void dotKey(const AnyThread&, const Work& work, const uint8_t* key, float (&scores)[kHeads]) {
        const uint32_t dims = work.op.headDimK;
        for (uint32_t h = 0; h < kHeads; ++h) scores[h] = 0.0f;
        if (dims % 8 == 0 && (reinterpret_cast<uintptr_t>(key) & 15u) == 0) {
            for (uint32_t i = 0; i < dims; i += 8) {
                float k[8];
                loadEight<Value>(key, i, k);
                for (uint32_t h = 0; h < kHeads; ++h)
                    for (uint32_t n = 0; n < 8; ++n) scores[h] = multiplyAdd(work.q[h * dims + i + n], k[n], scores[h]);
            }
            return;
        }
        for (uint32_t i = 0; i < dims; ++i)
            for (uint32_t h = 0; h < kHeads; ++h)
                scores[h] = multiplyAdd(work.q[h * dims + i], Value::load(key, i), scores[h]);
    }

    // Fills shared.scores with the weights of a segment; largest and sums are those of the segment.
    static __device__ void weigh(const Thread& thread, Shared& shared, const Work& work, uint32_t start, float (&largest)[kHeads],
                                 float (&sums)[kHeads]) {
        const ops::Attention& op = work.op;
        const ops::CacheType type = static_cast<ops::CacheType>(op.typeK);
        const float scale = ops::scoreScale(op, work.range.last);
        for (uint32_t h = 0; h < kHeads; ++h) {
            largest[h] = -INFINITY;
            sums[h] = 0.0f;
        }
        for (uint32_t t = thread.index(); t < ops::kSegmentTokens; t += kThreads) {
            const uint32_t j = start + t;
            const bool inside = j >= work.range.first && j <= work.range.last;
            float scores[kHeads];
            if (inside) {
                const uint8_t* key = ops::at<const uint8_t>(op.cacheK + shared.blocks[t / ops::kBlockTokens]) +
                                     ops::cacheRowOffset(type, work.kvHead, j, op.headDimK);
                if (type == ops::CacheType::F32) dotKey<F32>(thread, work, key, scores);
                else dotKey<F16>(thread, work, key, scores);
            }
            for (uint32_t h = 0; h < kHeads; ++h) {
                float score = inside ? scores[h] * scale : -INFINITY;
                if (inside && op.softCap > 0.0f) score = op.softCap * tanhf(score / op.softCap);
                shared.scores[h][t] = score;
                largest[h] = fmaxf(largest[h], score);
            }
        }
        blockMaximum(thread, largest, shared.scratch);
        for (uint32_t t = thread.index(); t < ops::kSegmentTokens; t += kThreads)
            for (uint32_t h = 0; h < kHeads; ++h) {
                const float weight = expf(shared.scores[h][t] - largest[h]); // 0 outside the range
                shared.scores[h][t] = weight;
                sums[h] += weight;
            }
        blockSum(thread, sums, shared.scratch);
    }

    // Puts the weighted sum of a segment's values into the trees' current vectors.
    template <class Value>
    static __device__ void addValues(const Thread& thread, Shared& shared, const Work& work, uint32_t start,
                                     SegmentTree (&trees)[kHeads]) {
        const ops::Attention& op = work.op;
        const ops::CacheType type = static_cast<ops::CacheType>(op.typeV);
        uint32_t width = 1; // threads of a strip
        while (width < kThreads && width < op.headDimV) width *= 2;
        const uint32_t strips = kThreads / width, strip = thread.index() / width;
        const uint32_t from = work.range.first > start ? work.range.first - start : 0;
        const uint32_t to = work.range.last - start < ops::kSegmentTokens ? work.range.last - start + 1 : ops::kSegmentTokens;
        for (uint32_t first = 0; first < op.headDimV; first += width) {
            const uint32_t dim = first + thread.index() % width;
            float sums[kHeads] = {};
            if (dim < op.headDimV)
                for (uint32_t t = strip; t < to; t += strips) {
                    if (t < from) continue;
                    const uint8_t* row = ops::at<const uint8_t>(op.cacheV + shared.blocks[t / ops::kBlockTokens]) +
                                         ops::cacheRowOffset(type, work.kvHead, start + t, op.valueStride);
                    const float value = Value::load(row, dim);
                    for (uint32_t h = 0; h < kHeads; ++h) sums[h] = multiplyAdd(shared.scores[h][t], value, sums[h]);
                }
            for (uint32_t h = 0; h < kHeads; ++h) {
                if (strips > 1) { // the same for the whole block
                    shared.strips[thread.index()] = sums[h];
                    thread.barrier();
                    for (uint32_t other = 1; strip == 0 && other < strips; ++other)
                        sums[h] += shared.strips[thread.index() + other * width];
                    thread.barrier();
                }
                if (strip == 0 && dim < op.headDimV) trees[h].current()[dim] = sums[h];
            }
        }
    }

    static __device__ void run(const Thread& thread, Shared& shared, const ops::Attention& op) {
        const uint32_t row = thread.blockX(), firstHead = thread.blockY() * kHeads, part = thread.blockZ();
        const uint64_t item = uint64_t(row) * op.heads + firstHead;
        const uint32_t position = static_cast<uint32_t>(ops::at<const int32_t>(op.positions)[row]);
        const uint32_t sequence = static_cast<uint32_t>(ops::at<const int32_t>(op.sequences)[row]);
        const int32_t* table = ops::at<const int32_t>(op.blockTable) + uint64_t(sequence) * op.tableStride;
        const uint32_t perPart = segmentsPerPart(op), begin = part * perPart, levels = treeLevels(perPart);
        float* memory = thread.dynamicShared<float>();
        const Work work{op, firstHead / (op.heads / op.kvHeads), AttendedRange(op, position), memory};
        if (begin > work.range.lastSegment || begin + perPart <= work.range.firstSegment) return; // nothing in this part
        for (uint32_t i = thread.index(); i < kHeads * op.headDimK; i += kThreads)
            memory[i] = ops::at<const float>(op.q)[item * op.headDimK + i];
        SegmentTree trees[kHeads];
        for (uint32_t h = 0; h < kHeads; ++h)
            trees[h] = SegmentTree(memory + kHeads * op.headDimK + h * SegmentTree::floats(levels, op.headDimV), levels,
                                   op.headDimV);
        float largest[kHeads] = {}, sums[kHeads] = {};
        for (uint32_t index = 0; index < perPart; ++index) {
            const uint32_t segment = begin + index;
            if (segment < work.range.firstSegment || segment > work.range.lastSegment) continue;
            const uint32_t firstBlock = segment * kBlocksPerSegment + thread.index();
            if (thread.index() < kBlocksPerSegment && firstBlock < op.tableStride)
                shared.blocks[thread.index()] = static_cast<uint64_t>(table[firstBlock]) * op.blockStride;
            thread.barrier();
            weigh(thread, shared, work, segment * ops::kSegmentTokens, largest, sums);
            if (static_cast<ops::CacheType>(op.typeV) == ops::CacheType::F32)
                addValues<F32>(thread, shared, work, segment * ops::kSegmentTokens, trees);
            else addValues<F16>(thread, shared, work, segment * ops::kSegmentTokens, trees);
            for (uint32_t h = 0; h < kHeads; ++h) trees[h].add(thread, kThreads, index, largest[h], sums[h]);
            thread.barrier(); // before the next segment writes what this one read
        }
        for (uint32_t h = 0; h < kHeads; ++h) {
            trees[h].finish(thread, kThreads, largest[h], sums[h]);
            if (op.splits == 1) {
                storeHead(thread, op, firstHead + h, item + h, trees[h].current(), largest[h], sums[h]);
                continue;
            }
            float* partial = ops::at<float>(op.partials) + ((item + h) * op.splits + part) * (op.headDimV + 2);
            for (uint32_t i = thread.index(); i < op.headDimV; i += kThreads) partial[i] = trees[h].current()[i];
            if (thread.index() == 0) {
                partial[op.headDimV] = largest[h];
                partial[op.headDimV + 1] = sums[h];
            }
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
        SegmentTree tree(thread.dynamicShared<float>(), treeLevels(op.splits), op.headDimV);
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

template <uint32_t kHeads>
bool launchGroups(const ops::Attention& op, void* stream) {
    using Kernel = AttentionKernel<kHeads>;
    const uint32_t dynamicBytes = Kernel::dynamicBytes(op);
    if (op.heads / op.kvHeads % kHeads != 0 || sizeof(typename Kernel::Shared) + dynamicBytes > kSharedLimit) return false;
    launch<Kernel>({op.rows, op.heads / kHeads, op.splits, dynamicBytes}, stream, op);
    if (op.splits > 1) launch<MergeKernel>({op.rows, op.heads, 1, MergeKernel::dynamicBytes(op)}, stream, op);
    return true;
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
