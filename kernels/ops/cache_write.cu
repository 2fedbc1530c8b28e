// One thread per value of a row's keys and values; neighbours write neighbouring places of a head. Bound by bandwidth.
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct CacheWriteKernel {
    static constexpr uint32_t kThreads = 128;

    // Value `i` of [kvHeads, headDim] into one part of the cache.
    static __device__ void store(const SoloThread&, uint64_t part, ops::CacheType type, uint32_t headDim,
                                 uint32_t position, uint32_t i, float value) {
        uint8_t* row = ops::at<uint8_t>(part) + ops::cacheRowOffset(type, i / headDim, position, headDim);
        ops::storeCacheValue(type, row, i % headDim, value);
    }

    static __device__ void run(const SoloThread& thread, const ops::CacheWrite& op) {
        const uint32_t row = thread.blockX(), i = thread.blockY() * kThreads + thread.index();
        const uint32_t valuesK = op.kvHeads * op.headDimK, valuesV = op.kvHeads * op.headDimV;
        const int32_t entry = ops::cacheEntry(op, row);
        if (entry < 0) return;
        const uint32_t position = static_cast<uint32_t>(entry);
        const uint32_t sequence = static_cast<uint32_t>(ops::at<const int32_t>(op.sequences)[row]);
        const int32_t* table = ops::at<const int32_t>(op.blockTable) + uint64_t(sequence) * op.tableStride;
        const uint64_t block = static_cast<uint64_t>(table[position / ops::kBlockTokens]) * op.blockStride;
        if (i < valuesK) {
            const float value = ops::at<const float>(op.k)[uint64_t(row) * valuesK + i];
            store(thread, op.cacheK + block, op.typeK, op.headDimK, position, i, value);
        }
        if (op.v && i < valuesV) {
            const float value = ops::at<const float>(op.v)[uint64_t(row) * valuesV + i];
            store(thread, op.cacheV + block, op.typeV, op.headDimV, position, i, value);
        }
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
