// The launches of attention and of the cache.
#include "engine/backend/vulkan/vulkan_launch_builder.h"

namespace steelyard {

namespace {

// Threads that share a column of the values: PARTS of shaders/ops/attention.comp.
uint32_t valueParts(uint32_t threads, uint32_t headDimV) {
    uint32_t parts = 16;
    while (parts > 1 && threads * 4 / headDimV < parts)
        parts /= 2;
    return parts;
}

// Heads and rows that one work group handles. The result does not depend on it.
struct QueryTile {
    uint32_t heads = 1, rows = 1;
};

QueryTile queryTile(const ops::Attention& op, const VulkanLimits& limits, uint32_t fitting) {
    constexpr uint32_t kMostQueries = 8, kEnoughGroups = 256;
    const uint32_t group = op.heads / op.kvHeads, most = std::min(kMostQueries, fitting);
    // First the heads of one cache head, since all of them are there in every step, then rows; a card with few work groups
    // would rather have more of them.
    const auto enough = [&](uint32_t queries) {
        return limits.software || uint64_t(op.rows) * op.heads * op.splits / queries >= kEnoughGroups;
    };
    QueryTile tile;
    for (uint32_t heads = 2; heads <= std::min(group, most); ++heads)
        if (group % heads == 0 && enough(heads)) tile.heads = heads;
    while (tile.heads * tile.rows * 2 <= most && tile.rows * 2 <= op.rows && enough(tile.heads * tile.rows * 2))
        tile.rows *= 2;
    return tile;
}

} // namespace

void describe(VulkanLaunchBuilder& b, const ops::CacheWrite& op) {
    b.dispatch("cache_write", op.rows, {b.limits.software ? 32u : 128u});
    b.reads(op.k, floats(uint64_t(op.rows) * op.kvHeads, op.headDimK));
    b.reads(op.v, floats(uint64_t(op.rows) * op.kvHeads, op.headDimV));
    b.reads(op.positions, floats(op.rows, 1));
    b.reads(op.sequences, floats(op.rows, 1));
    b.readsFrom(op.blockTable);
    b.writesFrom(std::min(op.cacheK, op.cacheV));
}

void describe(VulkanLaunchBuilder& b, const ops::Hadamard& op) {
    const uint64_t runs = uint64_t(op.rows) * (op.columns / op.block);
    b.dispatch("hadamard", runs, {b.limits.software ? 32u : std::clamp(op.block / 2, 32u, std::min(128u, b.limits.largestGroup)), op.block});
    b.writes(op.x, floats(op.rows, op.columns));
}

void describe(VulkanLaunchBuilder& b, const ops::Attention& op) {
    const uint32_t threads = b.limits.software ? 32 : std::min(128u, b.limits.largestGroup);
    const uint64_t items = uint64_t(op.rows) * op.heads;
    const bool longs = op.headDimK % 4 == 0 && op.headDimV % 4 == 0 && op.cacheK % 8 == 0 && op.cacheV % 8 == 0 &&
                       op.blockStride % 8 == 0 && op.valueStride % 4 == 0;
    const uint32_t splits = std::max<uint32_t>(op.splits, 1);
    const uint32_t parts = valueParts(threads, op.headDimV);
    const uint64_t queryBytes =
        4 * (uint64_t(op.headDimK) + ops::kSegmentTokens + std::max(threads, parts * op.headDimV));
    if (queryBytes > b.limits.sharedBytes) {
        b.launch.problem =
            "attention heads of " + std::to_string(op.headDimK) + " values are too large for this device";
        return;
    }
    const QueryTile tile = queryTile(op, b.limits, static_cast<uint32_t>(b.limits.sharedBytes / queryBytes));
    // Lanes of a subgroup hand round what they share, where they all do the same.
    const uint32_t lanes = b.limits.subgroupSize;
    const bool shuffles = b.limits.shuffles && longs && op.headDimK % lanes == 0;
    const uint32_t columns = op.headDimV / 4u;
    const bool shufflesV =
        shuffles && columns % lanes == 0 && columns * parts % threads == 0 && ops::kBlockTokens / parts % lanes == 0;
    for (uint32_t stage = 0; stage < (splits > 1 ? 2u : 1u); ++stage)
        b.dispatch("attention", stage == 0 ? items / tile.heads * splits : items,
                   {threads, stage, op.typeK, op.typeV, op.headDimK, op.headDimV, longs ? 1u : 0u, tile.heads,
                    tile.rows, shuffles ? lanes : 1u, shufflesV ? 1u : 0u});
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
