// The launches of the ops that carry a state along a sequence. How many rows they have stands in device memory only, so
// their rows reach, for barriers, to the end of memory, and their work is taken for that of a large chunk.
#include "engine/backend/vulkan/vulkan_launch_builder.h"

namespace steelyard {

namespace {

constexpr double kRowsOfChunk = 512;

// Work groups of a few rows of one head's state; see shaders/include/state_rows.glsl.
struct StateRows {
    uint32_t threads, lanes, subgroup;

    uint64_t groups(uint32_t rows) const { return divideUp(rows, threads / lanes); }
};

StateRows stateRows(const VulkanLimits& limits, uint32_t columns) {
    // A software device pays for every barrier and for every thread that reads: there a thread keeps a whole row.
    if (limits.software) return {32, 1, limits.shuffles && columns % limits.subgroupSize == 0 ? limits.subgroupSize : 1};
    return {std::min(128u, limits.largestGroup), 16, 1};
}

} // namespace

void describe(VulkanLaunchBuilder& b, const ops::CausalConv& op) {
    if (op.width == 0 || op.width > ops::kMaxConvWidth) {
        b.launch.problem = "causal_conv takes widths up to " + std::to_string(ops::kMaxConvWidth);
        return;
    }
    const uint64_t threads = uint64_t(op.sequences) * op.channels;
    b.dispatch("causal_conv", divideUp(threads, kElementGroup), {kElementGroup, op.width});
    b.launch.work = kRowsOfChunk * op.channels * op.width * 2;
    b.reads(op.weight, floats(op.channels, op.width));
    b.reads(op.bias, floats(1, op.channels));
    b.reads(op.runs, op.sequences * sizeof(ops::SequenceRun));
    b.readsFrom(op.x);
    b.writesFrom(op.state);
    b.writesFrom(op.y);
}

void describe(VulkanLaunchBuilder& b, const ops::CompressKeys& op) {
    b.dispatchElements("compress_keys", uint64_t(op.sequences) * op.channels);
    b.launch.work = kRowsOfChunk * op.channels * 16;
    b.reads(op.bias, floats(op.ratio, ops::compressWidth(op.channels, op.overlap)));
    b.reads(op.runs, op.sequences * sizeof(ops::SequenceRun));
    b.readsFrom(op.values);
    b.readsFrom(op.scores);
    b.readsFrom(op.positions);
    b.writesFrom(op.state);
    b.writesFrom(op.y);
}

void describe(VulkanLaunchBuilder& b, const ops::SsmScan& op) {
    const StateRows shape = stateRows(b.limits, op.stateDim);
    b.dispatch("ssm_scan", uint64_t(op.sequences) * op.heads * shape.groups(op.headDim),
               {shape.threads, shape.lanes, op.stateDim, shape.subgroup});
    b.launch.work = kRowsOfChunk * op.heads * op.headDim * op.stateDim * 5;
    b.reads(op.dtBias, floats(1, op.heads));
    b.reads(op.a, floats(1, op.heads));
    b.reads(op.d, floats(1, op.heads));
    b.reads(op.runs, op.sequences * sizeof(ops::SequenceRun));
    b.readsFrom(std::min({op.x, op.b, op.c}));
    b.readsFrom(op.dtRaw);
    b.writesFrom(op.state);
    b.writesFrom(op.y);
}

void describe(VulkanLaunchBuilder& b, const ops::DeltaRule& op) {
    const StateRows shape = stateRows(b.limits, op.headDimK);
    b.dispatch("delta_rule", uint64_t(op.sequences) * op.valueHeads * shape.groups(op.headDimV),
               {shape.threads, shape.lanes, op.headDimK, shape.subgroup, op.gateColumns});
    b.launch.work = kRowsOfChunk * op.valueHeads * op.headDimV * op.headDimK * 9;
    b.reads(op.runs, op.sequences * sizeof(ops::SequenceRun));
    b.readsFrom(std::min(op.q, op.k));
    b.readsFrom(op.v);
    b.readsFrom(std::min(op.gate, op.beta));
    b.writesFrom(op.state);
    b.writesFrom(op.y);
}

} // namespace steelyard
