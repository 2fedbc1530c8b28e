// The launches of the ops that read weights.
#include "engine/backend/vulkan/vulkan_launch_builder.h"
#include "engine/backend/vulkan/vulkan_weights.h"

namespace steelyard {

namespace {

// Rows that one work group computes, for a step of `rows` rows. The result does not depend on it.
uint32_t rowTile(uint32_t rows) {
    return rows <= 1 ? 1 : rows == 2 ? 2 : rows <= 4 ? 4 : 8;
}

// Rows that one work group computes for one expert: about as many as choose it among `items` choices.
uint32_t expertTile(uint32_t items, uint32_t experts) {
    uint32_t tile = 1;
    while (tile < 8 && items * 2 > experts * tile * 3)
        tile *= 2;
    return tile;
}

// One work group per tile of outputs and tile of rows; a product of one row as shaders/include/product.glsl has it.
struct ProductShape {
    TensorType type;
    uint32_t rows, rowTile, outputs, depth, layout;
    uint64_t x; // address of the activations
};

VulkanDispatch& dispatchProduct(VulkanLaunchBuilder& b, const char* stem, const std::string& shader, const ProductShape& shape) {
    constexpr uint32_t kVectors = 0, kScalars = 1, kShuffles = 2;
    const uint32_t values = std::max(32u, info(shape.type).blockValues);
    const uint32_t blocks = static_cast<uint32_t>(divideUp(shape.depth, values));
    // By depth and format alone: at least 128 values in a slice, at most 16 slices.
    const uint32_t slices = std::clamp(std::min(shape.depth / 128, blocks), 1u, 16u);
    const uint32_t outputs = b.limits.software ? 4 : 1;
    uint32_t parallel = b.limits.software ? 1 : std::min(slices, b.limits.largestGroup / 32);
    if (slices * 32 * shape.rowTile * outputs * 4 > b.limits.sharedBytes) parallel = 1;
    const bool pairs = shape.x % 8 == 0 && shape.depth % 2 == 0, vectors = shape.x % 16 == 0 && shape.depth % 4 == 0;
    const uint32_t sharing = b.limits.shuffles && pairs ? kShuffles : vectors ? kVectors : kScalars;
    VulkanDispatch& d = b.dispatch(
        shader, 1,
        {parallel, shape.rowTile, outputs, slices, shape.layout, sharing, std::min(b.limits.subgroupSize, 16u)});
    d.groups = {static_cast<uint32_t>(divideUp(shape.outputs, 32 * outputs)),
                static_cast<uint32_t>(divideUp(shape.rows, shape.rowTile)), 1};
    if (d.groups[0] > kLargestCount || d.groups[1] > kLargestCount)
        b.launch.problem = std::string(stem) + " is too large for this device";
    b.launch.work = 2.0 * shape.rows * shape.outputs * shape.depth;
    return d;
}

// The shader of a product; notes the problem when there is none, or when it can't take the activations.
std::optional<std::string> productShader(VulkanLaunchBuilder& b, const char* stem, uint32_t type,
                                         ops::Activation activation) {
    const auto shader = typedShader(stem, tensorTypeFromId(type));
    if (!shader)
        b.launch.problem = std::string(stem) + " has no shader for tensor type " + std::to_string(type);
    else if (activation != ops::Activation::Float)
        b.launch.problem = std::string(stem) + " takes activations as floats only";
    return b.launch.problem.empty() ? shader : std::nullopt;
}

} // namespace

void describe(VulkanLaunchBuilder& b, const ops::GetRows& op) {
    const auto type = tensorTypeFromId(op.type);
    const auto shader = typedShader("get_rows", type);
    if (!shader) {
        b.launch.problem = "get_rows has no shader for tensor type " + std::to_string(op.type);
        return;
    }
    const uint64_t groups = divideUp(uint64_t(op.rows) * divideUp(op.columns, 32), kElementGroup);
    b.dispatch(*shader, groups, {kElementGroup, op.layout});
    b.reads(op.table, vulkanWeightBytes(*type, op.layout, op.tableRows, op.columns));
    b.reads(op.ids, floats(op.rows, 1));
    b.writes(op.y, floats(op.rows, op.columns));
}

void describe(VulkanLaunchBuilder& b, const ops::MatMul& op) {
    const auto shader = productShader(b, "mat_mul", op.type, op.activation);
    if (!shader) return;
    const TensorType type = *tensorTypeFromId(op.type);
    dispatchProduct(b, "mat_mul", *shader, {type, op.rows, rowTile(op.rows), op.outputs, op.depth, op.layout, op.x});
    b.reads(op.weight, vulkanWeightBytes(type, op.layout, op.outputs, op.depth));
    b.reads(op.x, floats(op.rows, op.depth));
    b.reads(op.bias, floats(1, op.outputs));
    b.reads(op.residual, floats(op.rows, op.outputs));
    b.writes(op.y, floats(op.rows, op.outputs));
}

void describe(VulkanLaunchBuilder& b, const ops::ExpertMatMul& op) {
    const auto shader = productShader(b, "expert_mat_mul", op.type, op.activation);
    if (!shader) return;
    const TensorType type = *tensorTypeFromId(op.type);
    const uint32_t items = op.rows * op.slots;
    const uint32_t window = std::min(1024u, static_cast<uint32_t>(divideUp(items, 32)) * 32);
    VulkanDispatch& d = dispatchProduct(
        b, "expert_mat_mul", *shader,
        {type, items, expertTile(std::min(items, window), op.experts), op.outputs, op.depth, op.layout, op.x});
    d.groups[1] = items; // which of them work, they find out
    if (items > kLargestCount) b.launch.problem = "expert_mat_mul is too large for this device";
    d.constants[d.constantCount++] = window;
    const uint64_t expertBytes = vulkanWeightBytes(type, op.layout, op.outputs, op.depth);
    b.reads(op.weight, (op.experts - 1) * op.expertStride + expertBytes);
    b.reads(op.x, floats(uint64_t(op.rows) * op.inputSlots, op.depth));
    b.reads(op.ids, floats(op.rows, op.slots));
    b.reads(op.bias, floats(op.experts, op.outputs));
    b.writes(op.y, spread(uint64_t(op.rows) * op.slots, op.yStride, op.outputs));
}

void describe(VulkanLaunchBuilder& b, const ops::Route& op) {
    if (op.experts > ops::kMaxExperts || op.used > ops::kMaxExpertsUsed || op.used > op.experts) {
        b.launch.problem = "route chooses at most " + std::to_string(ops::kMaxExpertsUsed) + " of " +
                           std::to_string(ops::kMaxExperts) + " experts";
        return;
    }
    const uint32_t threads = b.limits.software ? 32 : std::min(128u, b.limits.largestGroup);
    b.dispatch("route", op.rows, {threads, op.experts, op.groups});
    b.reads(op.logits, floats(op.rows, op.experts));
    b.reads(op.bias, floats(1, op.experts));
    b.reads(op.expertScales, floats(1, op.experts));
    b.writes(op.ids, floats(op.rows, op.used));
    b.writes(op.weights, floats(op.rows, op.used));
}

void describe(VulkanLaunchBuilder& b, const ops::CombineExperts& op) {
    b.dispatchElements("combine_experts", uint64_t(op.rows) * op.columns);
    b.reads(op.x, floats(uint64_t(op.rows) * op.slots, op.columns));
    b.reads(op.weights, floats(op.rows, op.slots));
    b.reads(op.residual, floats(op.rows, op.columns));
    b.writes(op.y, floats(op.rows, op.columns));
}

} // namespace steelyard
