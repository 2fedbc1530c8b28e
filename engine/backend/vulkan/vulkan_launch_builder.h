// What the descriptions of the ops (vulkan_launch_*.cpp) share: collecting shader, work groups and memory accesses of one
// launch, and the arithmetic of sizes.
//
// Pure computation, as vulkan_launch.h. An op is one overload of describe(), which launches of that op go through.
#pragma once

#include "engine/backend/vulkan/vulkan_launch.h"

#include <algorithm>
#include <initializer_list>

namespace steelyard {

constexpr uint32_t kElementGroup = 64;    // threads of the shaders that work value by value
constexpr uint32_t kLargestCount = 65535; // work groups in one direction that every device allows

inline uint64_t divideUp(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}

inline uint64_t floats(uint64_t a, uint64_t b) {
    return a * b * 4;
}

// Bytes from the first to the last value of rows whose starts lie `stride` values apart.
inline uint64_t spread(uint64_t rows, uint64_t stride, uint64_t columns) {
    return ((rows - 1) * stride + columns) * 4;
}

// Collects one launch.
struct VulkanLaunchBuilder {
    const VulkanLimits& limits;
    VulkanLaunch launch{};

    void access(uint64_t address, uint64_t bytes, bool write) {
        if (address == 0 || bytes == 0) return;
        launch.accesses[launch.accessCount++] = {address, address + bytes, write};
    }
    void reads(uint64_t address, uint64_t bytes) { access(address, bytes, false); }
    void writes(uint64_t address, uint64_t bytes) { access(address, bytes, true); }
    // The paged cache, the arena of states and the rows of ops that go by sequence have no size of their own here:
    // everything from their first byte on.
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

// The name of the shader of an op for one tensor type; nothing when there is none.
std::optional<std::string> typedShader(const char* stem, std::optional<TensorType> type);

void describe(VulkanLaunchBuilder& b, const ops::Add& op);
void describe(VulkanLaunchBuilder& b, const ops::Attention& op);
void describe(VulkanLaunchBuilder& b, const ops::CacheWrite& op);
void describe(VulkanLaunchBuilder& b, const ops::CausalConv& op);
void describe(VulkanLaunchBuilder& b, const ops::CombineExperts& op);
void describe(VulkanLaunchBuilder& b, const ops::CompressKeys& op);
void describe(VulkanLaunchBuilder& b, const ops::CompressedAttention& op);
void describe(VulkanLaunchBuilder& b, const ops::Copy& op);
void describe(VulkanLaunchBuilder& b, const ops::DeltaRule& op);
void describe(VulkanLaunchBuilder& b, const ops::ExpertMatMul& op);
void describe(VulkanLaunchBuilder& b, const ops::GatedActivation& op);
void describe(VulkanLaunchBuilder& b, const ops::GetRows& op);
void describe(VulkanLaunchBuilder& b, const ops::Hadamard& op);
void describe(VulkanLaunchBuilder& b, const ops::HyperRead& op);
void describe(VulkanLaunchBuilder& b, const ops::HyperWrite& op);
void describe(VulkanLaunchBuilder& b, const ops::IndexScores& op);
void describe(VulkanLaunchBuilder& b, const ops::LayerNorm& op);
void describe(VulkanLaunchBuilder& b, const ops::MatMul& op);
void describe(VulkanLaunchBuilder& b, const ops::QuantizeRows& op);
void describe(VulkanLaunchBuilder& b, const ops::RmsNorm& op);
void describe(VulkanLaunchBuilder& b, const ops::Rotary& op);
void describe(VulkanLaunchBuilder& b, const ops::Route& op);
void describe(VulkanLaunchBuilder& b, const ops::SelectTop& op);
void describe(VulkanLaunchBuilder& b, const ops::SoftCap& op);
void describe(VulkanLaunchBuilder& b, const ops::SsmScan& op);

} // namespace steelyard
