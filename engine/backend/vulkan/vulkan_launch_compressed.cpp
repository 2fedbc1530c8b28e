// The launches of attention over compressed keys, and of the choice among them.
#include "engine/backend/vulkan/vulkan_launch_builder.h"

namespace steelyard {

void describe(VulkanLaunchBuilder& b, const ops::IndexScores& op) {
    const uint64_t scores = uint64_t(op.rows) * op.entries;
    b.dispatchElements("index_scores", scores);
    b.launch.work = static_cast<double>(scores) * op.heads * op.dim * 2;
    b.reads(op.q, floats(uint64_t(op.rows) * op.heads, op.dim));
    b.reads(op.weights, floats(op.rows, op.heads));
    b.reads(op.positions, floats(op.rows, 1));
    b.reads(op.sequences, floats(op.rows, 1));
    b.readsFrom(op.blockTable);
    b.readsFrom(op.cache);
    b.writes(op.y, scores * 4);
}

void describe(VulkanLaunchBuilder& b, const ops::SelectTop& op) {
    b.dispatch("select_top", op.rows, {b.limits.software ? 32u : std::min(256u, b.limits.largestGroup)});
    b.launch.work = static_cast<double>(op.rows) * op.entries * 64;
    b.reads(op.scores, floats(op.rows, op.entries));
    b.reads(op.positions, floats(op.rows, 1));
    b.writes(op.ids, floats(op.rows, op.count));
}

void describe(VulkanLaunchBuilder& b, const ops::CompressedAttention& op) {
    const uint32_t threads = b.limits.software ? 32 : std::min(128u, b.limits.largestGroup);
    if (uint64_t(op.dim) * 4 + uint64_t(threads) * 16 > b.limits.sharedBytes) {
        b.launch.problem = "attention heads of " + std::to_string(op.dim) + " values are too large for this device";
        return;
    }
    const uint64_t items = uint64_t(op.rows) * op.heads;
    b.dispatch("compressed_attention", items, {threads, op.dim, static_cast<uint32_t>(op.type)});
    // How many compressed keys there are stands in device memory only; taken for as many as the window has.
    b.launch.work = static_cast<double>(items) * op.dim * 8 * (op.ids ? op.window + op.idCount : 2 * op.window);
    b.reads(op.q, items * op.dim * 4);
    b.reads(op.positions, floats(op.rows, 1));
    b.reads(op.sequences, floats(op.rows, 1));
    b.reads(op.ids, floats(op.rows, op.idCount));
    b.reads(op.sinks, floats(1, op.heads));
    b.readsFrom(std::min(op.recentTable, op.distantTable));
    b.readsFrom(std::min(op.recentCache, op.distantCache));
    b.writes(op.y, items * op.dim * 4);
}

} // namespace steelyard
