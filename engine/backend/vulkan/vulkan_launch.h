// From an op to what is dispatched: which shader, with which constants, on how many work groups, what it reads and
// writes.
//
// Pure computation on the op's bytes and the device's limits: it calls no Vulkan function, so that it can be tested
// alone.
#pragma once

#include "engine/core/tensor_type.h"
#include "kernels/ops/ops.h"

#include <array>
#include <optional>
#include <string>

namespace steelyard {

// What of a device shapes the launches.
struct VulkanLimits {
    uint32_t largestGroup = 128; // threads of a work group
    uint32_t sharedBytes = 16384;
    uint32_t subgroupSize = 32;
    bool shuffles = false; // hand activations round by subgroup shuffles
    bool software = false; // few wide cores: no threads side by side along the depth
};

// A range of device memory that a launch touches.
struct VulkanAccess {
    uint64_t first = 0, end = 0;
    bool write = false;
};

struct VulkanDispatch {
    std::string shader;
    std::array<uint32_t, 12> constants{}; // specialization constants 0, 1, ...
    uint32_t constantCount = 0;
    std::array<uint32_t, 3> groups{1, 1, 1};
};

struct VulkanLaunch {
    std::array<VulkanDispatch, 2> dispatches; // the second, if any, needs the first one's results
    uint32_t dispatchCount = 0;
    std::array<VulkanAccess, 12> accesses{};
    uint32_t accessCount = 0;
    double work = 0;     // floating point operations, roughly; bounds how much is submitted at once
    std::string problem; // why it cannot run here; empty when it can
};

// The launch of an op given by number and bytes.
VulkanLaunch describeLaunch(uint32_t op, const void* bytes, size_t size, const VulkanLimits& limits);

// How many work groups an attention row's segments are spread over.
uint32_t vulkanAttentionSplits(uint32_t rows, uint32_t heads, uint32_t longest, const VulkanLimits& limits);

// The shader of an op, for the tensor type where it has one; nothing when there is none.
std::optional<std::string> shaderName(uint32_t op, std::optional<TensorType> type);

} // namespace steelyard
