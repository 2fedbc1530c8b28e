// Pipelines, compiled when first needed: one per shader and set of specialization constants. All share one pipeline
// layout (128 bytes of push constants, no descriptors).
#pragma once

#include "engine/backend/vulkan/vulkan_context.h"
#include "engine/backend/vulkan/vulkan_launch.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace steelyard {

class VulkanPipelines {
public:
    explicit VulkanPipelines(VulkanContext& context) : m_context(context) {}
    ~VulkanPipelines();
    VulkanPipelines(const VulkanPipelines&) = delete;
    VulkanPipelines& operator=(const VulkanPipelines&) = delete;

    // Creates the layout; a failure is in the context's error.
    void open();
    // The device address of the grids' numbers (vulkan_grids.h), for all pipelines made from now on.
    void setGrids(uint64_t address) { m_grids = address; }
    // The pipeline of a dispatch, or null after an error.
    VkPipeline get(const VulkanDispatch& dispatch);
    VkPipelineLayout layout() const { return m_layout; }

private:
    VkShaderModule module(const std::string& name);

    VulkanContext& m_context;
    VkPipelineLayout m_layout = VK_NULL_HANDLE;
    uint64_t m_grids = 0;
    std::map<std::string, VkShaderModule> m_modules;
    std::map<std::pair<std::string, std::vector<uint32_t>>, VkPipeline> m_pipelines;
};

} // namespace steelyard
