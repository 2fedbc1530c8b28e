#include "engine/backend/vulkan/vulkan_pipelines.h"

#include "shaders/shader_table.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr uint32_t kGridConstant = 30; // and the next: the address of the grids

} // namespace

VulkanPipelines::~VulkanPipelines() {
    auto& vk = m_context.vk;
    for (const auto& [key, pipeline] : m_pipelines)
        vk.vkDestroyPipeline(m_context.device, pipeline, nullptr);
    for (const auto& [name, module] : m_modules)
        vk.vkDestroyShaderModule(m_context.device, module, nullptr);
    if (m_layout) vk.vkDestroyPipelineLayout(m_context.device, m_layout, nullptr);
}

void VulkanPipelines::open() {
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, 128};
    VkPipelineLayoutCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    create.pushConstantRangeCount = 1;
    create.pPushConstantRanges = &range;
    m_context.check(m_context.vk.vkCreatePipelineLayout(m_context.device, &create, nullptr, &m_layout));
}

VkShaderModule VulkanPipelines::module(const std::string& name) {
    if (const auto found = m_modules.find(name); found != m_modules.end()) return found->second;
    const auto shaders = shaders::all();
    const auto shader = std::find_if(shaders.begin(), shaders.end(), [&](const auto& s) { return s.name == name; });
    if (shader == shaders.end()) {
        m_context.fail("There is no shader named " + name + ".");
        return VK_NULL_HANDLE;
    }
    VkShaderModuleCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    create.codeSize = shader->code.size_bytes();
    create.pCode = shader->code.data();
    VkShaderModule module = VK_NULL_HANDLE;
    if (!m_context.check(m_context.vk.vkCreateShaderModule(m_context.device, &create, nullptr, &module)))
        return VK_NULL_HANDLE;
    m_modules[name] = module;
    return module;
}

VkPipeline VulkanPipelines::get(const VulkanDispatch& dispatch) {
    const std::vector<uint32_t> constants(dispatch.constants.begin(),
                                          dispatch.constants.begin() + dispatch.constantCount);
    const auto key = std::make_pair(dispatch.shader, constants);
    if (const auto found = m_pipelines.find(key); found != m_pipelines.end()) return found->second;
    const VkShaderModule code = module(dispatch.shader);
    if (!code) return VK_NULL_HANDLE;
    std::vector<VkSpecializationMapEntry> entries;
    for (uint32_t i = 0; i < dispatch.constantCount; ++i)
        entries.push_back({i, i * 4, 4});
    // Two more that the shaders of grid formats read (shaders/include/grid.glsl); others ignore them.
    std::vector<uint32_t> data = constants;
    for (const uint32_t half : {static_cast<uint32_t>(m_grids), static_cast<uint32_t>(m_grids >> 32)}) {
        entries.push_back({kGridConstant + static_cast<uint32_t>(data.size()) - dispatch.constantCount,
                           static_cast<uint32_t>(data.size() * 4), 4});
        data.push_back(half);
    }
    VkSpecializationInfo specialization{};
    specialization.mapEntryCount = static_cast<uint32_t>(entries.size());
    specialization.pMapEntries = entries.data();
    specialization.dataSize = data.size() * 4;
    specialization.pData = data.data();
    VkComputePipelineCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    create.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    create.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    create.stage.module = code;
    create.stage.pName = "main";
    create.stage.pSpecializationInfo = &specialization;
    create.layout = m_layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (!m_context.check(
            m_context.vk.vkCreateComputePipelines(m_context.device, VK_NULL_HANDLE, 1, &create, nullptr, &pipeline)))
        return VK_NULL_HANDLE;
    m_pipelines[key] = pipeline;
    return pipeline;
}

} // namespace steelyard
