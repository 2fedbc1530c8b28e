// The launches of attention and of the cache.
#include "engine/backend/vulkan/vulkan_launch_builder.h"

namespace steelyard {

void describe(VulkanLaunchBuilder& b, const ops::CacheWrite& op) {
    b.dispatch("cache_write", op.rows, {b.limits.software ? 32u : 128u});
    b.reads(op.k, floats(uint64_t(op.rows) * op.kvHeads, op.headDimK));
    b.reads(op.v, floats(uint64_t(op.rows) * op.kvHeads, op.headDimV));
    b.reads(op.positions, floats(op.rows, 1));
    b.reads(op.sequences, floats(op.rows, 1));
    b.readsFrom(op.blockTable);
    b.writesFrom(std::min(op.cacheK, op.cacheV));
}

void describe(VulkanLaunchBuilder& b, const ops::Attention& op) {
    const uint32_t threads = b.limits.software ? 32 : std::min(128u, b.limits.largestGroup);
    const uint64_t items = uint64_t(op.rows) * op.heads;
    const bool longs = op.headDimK % 4 == 0 && op.headDimV % 4 == 0 && op.cacheK % 8 == 0 && op.cacheV % 8 == 0 &&
                       op.blockStride % 8 == 0;
    const uint32_t splits = std::max<uint32_t>(op.splits, 1);
    const uint64_t sharedFloats =
        op.headDimK + op.headDimV + std::max(threads * 4u, uint32_t(op.headDimV)) + ops::kSegmentTokens + threads;
    if (sharedFloats * 4 > b.limits.sharedBytes) {
        b.launch.problem =
            "attention heads of " + std::to_string(op.headDimK) + " values are too large for this device";
        return;
    }
    for (uint32_t stage = 0; stage < (splits > 1 ? 2u : 1u); ++stage)
        b.dispatch("attention", stage == 0 ? items * splits : items,
                   {threads, stage, op.typeK, op.typeV, op.headDimK, op.headDimV, longs ? 1u : 0u});
    b.launch.work = 4.0 * static_cast<double>(items) * op.headDimK * std::min<double>(op.tableStride * 32.0, 8192.0);
    b.reads(op.q, floats(items, op.headDimK));
    b.reads(op.positions, floats(op.rows, 1));
    b.reads(op.sequences, floats(op.rows, 1));
    b.readsFrom(op.blockTable);
    b.readsFrom(std::min(op.cacheK, op.cacheV));
    b.reads(op.sinks, floats(op.heads, 1));
    b.writes(op.partials, splits > 1 ? items * splits * (op.headDimV + 2u) * 4 : 0);
    b.writes(op.y, floats(items, op.headDimV));
}

uint32_t vulkanAttentionSplits(uint32_t rows, uint32_t heads, uint32_t longest, const VulkanLimits& limits) {
    // Worth it only where there are too few rows and heads to fill the device; one segment per split, so that the
    // arithmetic stays that of the unsplit run.
    constexpr uint32_t kEnoughGroups = 512, kMostSplits = 1024;
    if (limits.software || uint64_t(rows) * heads >= kEnoughGroups) return 1;
    const uint32_t segments = static_cast<uint32_t>(divideUp(longest, ops::kSegmentTokens));
    uint32_t splits = 1;
    while (splits < segments && splits < kMostSplits)
        splits *= 2;
    return splits;
}

} // namespace steelyard
