// The launches of the ops that work value by value or row by row.
#include "engine/backend/vulkan/vulkan_launch_builder.h"

namespace steelyard {

namespace {

// Threads of a norm: a tree of fixed size per row length; software devices pay for every barrier and get a small one.
uint32_t normThreads(const VulkanLimits& limits, uint32_t columns) {
    return limits.software || columns <= 128 ? 32 : std::min(256u, limits.largestGroup);
}

} // namespace

void describe(VulkanLaunchBuilder& b, const ops::Add& op) {
    b.dispatchElements("add", uint64_t(op.rows) * op.columns);
    b.reads(op.a, spread(op.rows, op.aStride, op.columns));
    b.reads(op.b, spread(op.rows, op.bStride, op.columns));
    b.writes(op.y, spread(op.rows, op.yStride, op.columns));
}

void describe(VulkanLaunchBuilder& b, const ops::Copy& op) {
    b.dispatchElements("copy", op.units);
    b.reads(op.from, uint64_t(op.units) * ops::kCopyUnit);
    b.writes(op.to, uint64_t(op.units) * ops::kCopyUnit);
}

void describe(VulkanLaunchBuilder& b, const ops::GatedActivation& op) {
    b.dispatchElements("gated_activation", uint64_t(op.rows) * op.columns);
    b.reads(op.gate, spread(op.rows, op.gateStride, op.gateColumns));
    b.reads(op.up, spread((op.rows - 1) / op.upRepeat + 1, op.upStride, op.columns));
    b.writes(op.y, spread(op.rows, op.yStride, op.columns));
}

void describe(VulkanLaunchBuilder& b, const ops::SoftCap& op) {
    b.dispatchElements("soft_cap", uint64_t(op.rows) * op.columns);
    b.reads(op.x, floats(op.rows, op.columns));
    b.writes(op.y, floats(op.rows, op.columns));
}

void describe(VulkanLaunchBuilder& b, const ops::RmsNorm& op) {
    b.dispatch("rms_norm", op.rows, {normThreads(b.limits, op.columns)});
    b.reads(op.x, spread(op.rows, op.xStride, op.columns));
    b.reads(op.weight, floats(op.weightRows, op.columns));
    b.writes(op.y, spread(op.rows, op.yStride, op.columns));
}

void describe(VulkanLaunchBuilder& b, const ops::LayerNorm& op) {
    b.dispatch("layer_norm", op.rows, {normThreads(b.limits, op.columns)});
    b.reads(op.x, floats(op.rows, op.columns));
    b.reads(op.weight, floats(op.weightRows, op.columns));
    b.reads(op.bias, floats(1, op.columns));
    b.writes(op.y, floats(op.rows, op.columns));
}

void describe(VulkanLaunchBuilder& b, const ops::Rotary& op) {
    b.dispatchElements("rotary", uint64_t(op.rows) * op.heads * (op.dimensions / 2));
    b.reads(op.positions, floats(op.rows, 1));
    b.reads(op.factors, floats(op.dimensions / 2, 1));
    b.writes(op.x, floats(uint64_t(op.rows) * op.heads, op.headDim));
}

void describe(VulkanLaunchBuilder& b, const ops::HyperRead& op) {
    if (op.streams > ops::kMaxStreams) {
        b.launch.problem = "hyper_read mixes up to " + std::to_string(ops::kMaxStreams) + " streams";
        return;
    }
    b.dispatch("hyper_read", op.rows, {normThreads(b.limits, op.columns), op.streams});
    b.reads(op.stream, floats(uint64_t(op.rows) * op.streams, op.columns));
    b.reads(op.mixes, floats(op.rows, mixesOf(op)));
    b.reads(op.scale, floats(op.gates ? 3 : 1, 1));
    b.reads(op.base, floats(mixesOf(op), 1));
    b.writes(op.y, floats(op.rows, op.columns));
    b.writes(op.gates, floats(op.rows, op.streams * (1 + op.streams)));
}

void describe(VulkanLaunchBuilder& b, const ops::HyperWrite& op) {
    if (op.streams > ops::kMaxStreams) {
        b.launch.problem = "hyper_write mixes up to " + std::to_string(ops::kMaxStreams) + " streams";
        return;
    }
    const uint64_t values = uint64_t(op.rows) * op.columns;
    b.dispatch("hyper_write", divideUp(values, kElementGroup), {kElementGroup, op.streams});
    b.reads(op.x, values * 4);
    b.reads(op.gates, floats(op.rows, op.streams * (1 + op.streams)));
    b.writes(op.stream, values * op.streams * 4);
}

void describe(VulkanLaunchBuilder& b, const ops::QuantizeRows& op) {
    const uint64_t blocks = uint64_t(op.rows) * (op.columns / 32);
    b.dispatchElements("quantize_rows", blocks);
    b.reads(op.x, blocks * 128);
    b.writes(op.codes, blocks * 32 * op.planes);
    b.writes(op.scales, blocks * 4);
    b.writes(op.sums, blocks * 4);
}

} // namespace steelyard
