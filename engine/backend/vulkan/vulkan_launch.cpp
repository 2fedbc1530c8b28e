#include "engine/backend/vulkan/vulkan_launch.h"

#include "engine/backend/vulkan/vulkan_weights.h"
#include "shaders/shader_table.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace steelyard {

namespace {

constexpr uint32_t kElementGroup = 64;    // threads of the shaders that work value by value
constexpr uint32_t kLargestCount = 65535; // work groups in one direction that every device allows

bool hasShader(const std::string& name) {
    const auto shaders = shaders::all();
    return std::any_of(shaders.begin(), shaders.end(), [&](const auto& shader) { return shader.name == name; });
}

std::string typedName(const char* stem, TensorType type) {
    std::string name = std::string(stem) + "." + std::string(info(type).name);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name;
}

uint64_t divideUp(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}

// Collects one launch.
struct Builder {
    const VulkanLimits& limits;
    VulkanLaunch launch{};

    void access(uint64_t address, uint64_t bytes, bool write) {
        if (address == 0 || bytes == 0) return;
        launch.accesses[launch.accessCount++] = {address, address + bytes, write};
    }
    void reads(uint64_t address, uint64_t bytes) { access(address, bytes, false); }
    void writes(uint64_t address, uint64_t bytes) { access(address, bytes, true); }
    // The paged cache has no size of its own here: everything from its first block on.
    void readsFrom(uint64_t address) { launch.accesses[launch.accessCount++] = {address, UINT64_MAX, false}; }
    void writesFrom(uint64_t address) { launch.accesses[launch.accessCount++] = {address, UINT64_MAX, true}; }

    // A dispatch of `count` work groups, laid out as a plane (shaders/include/op.glsl).
    VulkanDispatch& dispatch(const std::string& shader, uint64_t count, std::initializer_list<uint32_t> constants) {
        VulkanDispatch& d = launch.dispatches[launch.dispatchCount++];
        d.shader = shader;
        std::copy(constants.begin(), constants.end(), d.constants.begin());
        d.constantCount = static_cast<uint32_t>(constants.size());
        const uint64_t lines = divideUp(count, kLargestCount);
        d.groups = {static_cast<uint32_t>(lines > 1 ? divideUp(count, lines) : count), static_cast<uint32_t>(lines), 1};
        if (lines > kLargestCount) launch.problem = "the op is too large";
        return d;
    }
    // A dispatch of one thread per value.
    void dispatchElements(const std::string& shader, uint64_t count) {
        dispatch(shader, divideUp(count, kElementGroup), {kElementGroup});
    }
};

uint64_t floats(uint64_t a, uint64_t b) {
    return a * b * 4;
}

// Bytes from the first to the last value of rows whose starts lie `stride` values apart.
uint64_t spread(uint64_t rows, uint64_t stride, uint64_t columns) {
    return ((rows - 1) * stride + columns) * 4;
}

void describe(Builder& b, const ops::Add& op) {
    b.dispatchElements("add", uint64_t(op.rows) * op.columns);
    b.reads(op.a, spread(op.rows, op.aStride, op.columns));
    b.reads(op.b, spread(op.rows, op.bStride, op.columns));
    b.writes(op.y, spread(op.rows, op.yStride, op.columns));
}

void describe(Builder& b, const ops::GatedActivation& op) {
    b.dispatchElements("gated_activation", uint64_t(op.rows) * op.columns);
    b.reads(op.gate, spread(op.rows, op.gateStride, op.gateColumns));
    b.reads(op.up, spread((op.rows - 1) / op.upRepeat + 1, op.upStride, op.columns));
    b.writes(op.y, spread(op.rows, op.yStride, op.columns));
}

void describe(Builder& b, const ops::SoftCap& op) {
    b.dispatchElements("soft_cap", uint64_t(op.rows) * op.columns);
    b.reads(op.x, floats(op.rows, op.columns));
    b.writes(op.y, floats(op.rows, op.columns));
}

void describe(Builder& b, const ops::RmsNorm& op) {
    // A tree of fixed size per row length; software devices pay for every barrier and get a small one.
    const uint32_t threads = b.limits.software || op.columns <= 128 ? 32 : std::min(256u, b.limits.largestGroup);
    b.dispatch("rms_norm", op.rows, {threads});
    b.reads(op.x, spread(op.rows, op.xStride, op.columns));
    b.reads(op.weight, floats(op.weightRows, op.columns));
    b.writes(op.y, spread(op.rows, op.yStride, op.columns));
}

void describe(Builder& b, const ops::Rotary& op) {
    b.dispatchElements("rotary", uint64_t(op.rows) * op.heads * (op.dimensions / 2));
    b.reads(op.positions, floats(op.rows, 1));
    b.reads(op.factors, floats(op.dimensions / 2, 1));
    b.writes(op.x, floats(uint64_t(op.rows) * op.heads, op.headDim));
}

void describe(Builder& b, const ops::QuantizeRows& op) {
    const uint64_t blocks = uint64_t(op.rows) * (op.columns / 32);
    b.dispatchElements("quantize_rows", blocks);
    b.reads(op.x, blocks * 128);
    b.writes(op.codes, blocks * 32 * op.planes);
    b.writes(op.scales, blocks * 4);
    b.writes(op.sums, blocks * 4);
}

void describe(Builder& b, const ops::CacheWrite& op) {
    b.dispatch("cache_write", op.rows, {b.limits.software ? 32u : 128u});
    b.reads(op.k, floats(uint64_t(op.rows) * op.kvHeads, op.headDimK));
    b.reads(op.v, floats(uint64_t(op.rows) * op.kvHeads, op.headDimV));
    b.reads(op.positions, floats(op.rows, 1));
    b.reads(op.sequences, floats(op.rows, 1));
    b.readsFrom(op.blockTable);
    b.writesFrom(std::min(op.cacheK, op.cacheV));
}

void describe(Builder& b, const ops::GetRows& op) {
    const auto type = tensorTypeFromId(op.type);
    if (!type || !hasShader(typedName("get_rows", *type))) {
        b.launch.problem = "get_rows has no shader for tensor type " + std::to_string(op.type);
        return;
    }
    const uint64_t groups = divideUp(uint64_t(op.rows) * divideUp(op.columns, 32), kElementGroup);
    b.dispatch(typedName("get_rows", *type), groups, {kElementGroup, op.layout});
    b.reads(op.table, vulkanWeightBytes(*type, op.layout, op.tableRows, op.columns));
    b.reads(op.ids, floats(op.rows, 1));
    b.writes(op.y, floats(op.rows, op.columns));
}

// Rows that one work group computes, for a step of `rows` rows. The result does not depend on it.
uint32_t rowTile(uint32_t rows) {
    return rows <= 1 ? 1 : rows == 2 ? 2 : rows <= 4 ? 4 : 8;
}

void describe(Builder& b, const ops::MatMul& op) {
    const auto type = tensorTypeFromId(op.type);
    if (!type || !hasShader(typedName("mat_mul", *type))) {
        b.launch.problem = "mat_mul has no shader for tensor type " + std::to_string(op.type);
        return;
    }
    if (op.activation != ops::Activation::Float) {
        b.launch.problem = "mat_mul takes activations as floats only";
        return;
    }
    constexpr uint32_t kVectors = 0, kScalars = 1, kShuffles = 2;
    const uint32_t values = std::max(32u, info(*type).blockValues);
    const uint32_t blocks = static_cast<uint32_t>(divideUp(op.depth, values));
    // By depth and format alone: at least 128 values in a slice, at most 16 slices.
    const uint32_t slices = std::clamp(std::min(op.depth / 128, blocks), 1u, 16u);
    const uint32_t rows = rowTile(op.rows);
    const uint32_t outputs = b.limits.software ? 4 : 1;
    uint32_t parallel = b.limits.software ? 1 : std::min(slices, b.limits.largestGroup / 32);
    if (slices * 32 * rows * outputs * 4 > b.limits.sharedBytes) parallel = 1;
    const bool pairs = op.x % 8 == 0 && op.depth % 2 == 0, vectors = op.x % 16 == 0 && op.depth % 4 == 0;
    const uint32_t sharing = b.limits.shuffles && pairs ? kShuffles : vectors ? kVectors : kScalars;
    VulkanDispatch& d =
        b.dispatch(typedName("mat_mul", *type), 1,
                   {parallel, rows, outputs, slices, op.layout, sharing, std::min(b.limits.subgroupSize, 16u)});
    d.groups = {static_cast<uint32_t>(divideUp(op.outputs, 32 * outputs)),
                static_cast<uint32_t>(divideUp(op.rows, rows)), 1};
    if (d.groups[0] > kLargestCount || d.groups[1] > kLargestCount)
        b.launch.problem = "mat_mul is too large for this device";
    b.launch.work = 2.0 * op.rows * op.outputs * op.depth;
    b.reads(op.weight, vulkanWeightBytes(*type, op.layout, op.outputs, op.depth));
    b.reads(op.x, floats(op.rows, op.depth));
    b.reads(op.bias, floats(1, op.outputs));
    b.reads(op.residual, floats(op.rows, op.outputs));
    b.writes(op.y, floats(op.rows, op.outputs));
}

void describe(Builder& b, const ops::Attention& op) {
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

} // namespace

VulkanLaunch describeLaunch(uint32_t op, const void* bytes, size_t size, const VulkanLimits& limits) {
    Builder builder{limits};
    bool found = false;
    ops::AllOps::forEach([&]<class Op>() {
        if (ops::opId<Op> != op || size != sizeof(Op)) return;
        Op copy;
        std::memcpy(&copy, bytes, sizeof copy);
        if (items(copy) > 0) describe(builder, copy);
        found = true;
    });
    if (!found) builder.launch.problem = "there is no op with number " + std::to_string(op);
    return std::move(builder.launch);
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

std::optional<std::string> shaderName(uint32_t op, std::optional<TensorType> type) {
    const auto names = ops::AllOps::names();
    if (op >= names.size()) return std::nullopt;
    const bool typed = op == ops::opId<ops::GetRows> || op == ops::opId<ops::MatMul>;
    if (typed && !type) return std::nullopt;
    std::string name = typed ? typedName(names[op], *type) : std::string(names[op]);
    if (!hasShader(name)) return std::nullopt;
    return name;
}

} // namespace steelyard
