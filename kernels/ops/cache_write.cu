// One thread per value of a row's keys and values; neighbours write neighbouring places of a head. Bound by bandwidth. Coded
// types: one thread per group of 32 values, the others of the grid have nothing to do.
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct CacheWriteKernel {
    static constexpr uint32_t kThreads = 128;

    // One part of the cache and what goes there: [kvHeads, headDim].
    struct Part {
        uint64_t address, source;
        ops::CacheType type;
        uint32_t kvHeads, headDim;
    };

    // The value, or the group of values, of thread `i`.
    static __device__ void store(const SoloThread&, const Part& part, uint32_t position, uint32_t i) {
        const bool coded = ops::isCoded(part.type);
        const uint32_t first = coded ? i * ops::kCacheGroup : i, within = first % part.headDim;
        if (first >= part.kvHeads * part.headDim) return;
        const float* values = ops::at<const float>(part.source) + first;
        const auto row = ops::cacheRowAt(ops::at<uint8_t>(part.address), part.type, first / part.headDim, position, part.headDim);
        if (coded) ops::storeCacheGroup(part.type, row, within / ops::kCacheGroup, values);
        else ops::storeCacheValue(part.type, row, within, *values);
    }

    static __device__ void run(const SoloThread& thread, const ops::CacheWrite& op) {
        const uint32_t row = thread.blockX(), i = thread.blockY() * kThreads + thread.index();
        const int32_t entry = ops::cacheEntry(op, row);
        if (entry < 0) return;
        const uint32_t position = static_cast<uint32_t>(entry);
        const uint32_t sequence = static_cast<uint32_t>(ops::at<const int32_t>(op.sequences)[row]);
        const int32_t* table = ops::at<const int32_t>(op.blockTable) + uint64_t(sequence) * op.tableStride;
        const uint64_t block = static_cast<uint64_t>(table[position / ops::kBlockTokens]) * op.blockStride;
        const auto sourceOf = [&](uint64_t rows, uint32_t headDim) { return rows + uint64_t(row) * op.kvHeads * headDim * sizeof(float); };
        store(thread, {op.cacheK + block, sourceOf(op.k, op.headDimK), op.typeK, op.kvHeads, op.headDimK}, position, i);
        if (op.v) store(thread, {op.cacheV + block, sourceOf(op.v, op.headDimV), op.typeV, op.kvHeads, op.headDimV}, position, i);
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::CacheWrite& op, void* stream) {
    const uint32_t headDim = op.headDimK > op.headDimV ? op.headDimK : op.headDimV;
    launch<CacheWriteKernel>({op.rows, blocksFor(uint64_t(op.kvHeads) * headDim, CacheWriteKernel::kThreads)}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
