// An opened logical device as the parts of this folder share it: handles, function table, limits, and the sticky error.
#pragma once

#include "engine/backend/vulkan/vulkan_error.h"
#include "engine/backend/vulkan/vulkan_instance.h"

namespace steelyard {

struct VulkanContext {
    std::unique_ptr<VulkanInstance> instance;
    VulkanPhysicalDevice physical;
    VolkDeviceTable vk{};
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    std::string error; // once set, later work does nothing
    bool passes = false; // memory ran out, and nothing else is wrong

    VulkanContext() = default;
    VulkanContext(const VulkanContext&) = delete;
    VulkanContext& operator=(const VulkanContext&) = delete;
    ~VulkanContext() {
        if (device) vk.vkDestroyDevice(device, nullptr);
    }

    bool failed() const { return !error.empty(); }
    void fail(const std::string& sentence) {
        if (error.empty()) error = sentence;
    }
    // Notes a failure; true when the call succeeded.
    bool check(VkResult result) {
        if (result >= 0) return true;
        if (!failed()) passes = result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY;
        fail(physical.info.name + ": " + vulkanErrorText(result) + ".");
        return false;
    }
};

} // namespace steelyard
