// A block per row. The threshold is found bit by bit: each thread counts its own stretch of entries, the block adds up. Then the
// stretches know by a running sum where their chosen entries go. Bound by latency.
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct SelectTopKernel {
    static constexpr uint32_t kThreads = 256;
    struct Shared {
        uint32_t counts[kThreads], equals[kThreads];
    };

    // The sum of every thread's value; all threads get it.
    static __device__ uint32_t sum(const Thread& thread, Shared& shared, uint32_t value) {
        shared.counts[thread.index()] = value;
        thread.barrier();
        for (uint32_t width = kThreads / 2; width > 0; width /= 2) {
            if (thread.index() < width) shared.counts[thread.index()] += shared.counts[thread.index() + width];
            thread.barrier();
        }
        const uint32_t total = shared.counts[0];
        thread.barrier();
        return total;
    }

    static __device__ void run(const Thread& thread, Shared& shared, const ops::SelectTop& op) {
        const uint32_t row = thread.blockX(), visible = ops::visibleEntries(op, row);
        const uint32_t chosen = visible < op.count ? visible : op.count;
        const float* scores = ops::at<const float>(op.scores) + uint64_t(row) * op.entries;
        int32_t* ids = ops::at<int32_t>(op.ids) + uint64_t(row) * op.count;
        const uint32_t stretch = (visible + kThreads - 1) / kThreads;
        const uint32_t begin = thread.index() * stretch < visible ? thread.index() * stretch : visible;
        const uint32_t end = begin + stretch < visible ? begin + stretch : visible;
        uint32_t threshold = 0;
        for (uint32_t bit = 0x80000000u; bit > 0; bit /= 2) {
            uint32_t reached = 0;
            for (uint32_t e = begin; e < end; ++e) reached += ops::scoreOrder(scores[e]) >= (threshold | bit);
            if (sum(thread, shared, reached) >= chosen) threshold |= bit;
        }
        uint32_t above = 0, equal = 0;
        for (uint32_t e = begin; e < end; ++e) {
            above += ops::scoreOrder(scores[e]) > threshold;
            equal += ops::scoreOrder(scores[e]) == threshold;
        }
        const uint32_t allAbove = sum(thread, shared, above);
        shared.counts[thread.index()] = above;
        shared.equals[thread.index()] = equal;
        thread.barrier();
        const uint32_t mayEqual = chosen > allAbove ? chosen - allAbove : 0; // entries at the threshold that are chosen
        uint32_t place = 0, equalsBefore = 0;
        for (uint32_t other = 0; other < thread.index(); ++other) {
            place += shared.counts[other];
            equalsBefore += shared.equals[other];
        }
        place += equalsBefore < mayEqual ? equalsBefore : mayEqual;
        for (uint32_t e = begin; e < end; ++e) {
            const uint32_t order = ops::scoreOrder(scores[e]);
            if (order < threshold || (order == threshold && equalsBefore >= mayEqual)) continue;
            if (order == threshold) ++equalsBefore;
            ids[place++] = static_cast<int32_t>(e);
        }
        for (uint32_t i = chosen + thread.index(); i < op.count; i += kThreads) ids[i] = -1;
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::SelectTop& op, void* stream) {
    launch<SelectTopKernel>({op.rows}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
