// The loader, the instance and the physical devices: what there is before a device is opened.
//
// Loaded at run time through volk, so that the program starts without a Vulkan loader; every refusal is a sentence.
// Each VulkanInstance has its own table of the functions it needs. Knows nothing of memory or ops.
#pragma once

#include "engine/backend/backend.h"

#include <volk.h>

#include <memory>
#include <string>
#include <vector>

namespace steelyard {

// A physical device and what the engine asks of it.
struct VulkanPhysicalDevice {
    VkPhysicalDevice handle = VK_NULL_HANDLE;
    DeviceInfo info;
    VkPhysicalDeviceProperties properties{};
    VkPhysicalDeviceMemoryProperties memory{};
    uint64_t maxAllocationBytes = 0; // what the driver promises; larger ones are tried
    uint64_t maxBufferBytes = 0;
    uint32_t queueFamily = 0;
    uint32_t subgroupSize = 0;
    bool subgroupShuffle = false; // in compute shaders
    bool memoryBudget = false;    // the driver tells what is free
};

class VulkanInstance {
public:
    // The instance, or why there is none (no loader, no driver).
    static Result<std::unique_ptr<VulkanInstance>> create();
    ~VulkanInstance();
    VulkanInstance(const VulkanInstance&) = delete;
    VulkanInstance& operator=(const VulkanInstance&) = delete;

    // All devices in the loader's order; unusable ones have info.reason.
    std::vector<VulkanPhysicalDevice> devices() const;

    // Creates the logical device with one compute queue and fills its function table.
    Result<VkDevice> createDevice(const VulkanPhysicalDevice& physical, VolkDeviceTable& table) const;

    // Free bytes of the device-local heaps, where the driver tells.
    std::optional<uint64_t> freeBytes(const VulkanPhysicalDevice& physical) const;

private:
    VulkanInstance() = default;
    VulkanPhysicalDevice describe(VkPhysicalDevice handle, uint32_t index) const;
    std::optional<uint32_t> computeFamily(VkPhysicalDevice handle) const; // the first queue family that computes

    VkInstance m_instance = VK_NULL_HANDLE;
    PFN_vkDestroyInstance m_destroyInstance = nullptr;
    PFN_vkEnumeratePhysicalDevices m_enumeratePhysicalDevices = nullptr;
    PFN_vkGetPhysicalDeviceProperties2 m_properties = nullptr;
    PFN_vkGetPhysicalDeviceFeatures2 m_features = nullptr;
    PFN_vkGetPhysicalDeviceMemoryProperties2 m_memoryProperties = nullptr;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties m_queueFamilies = nullptr;
    PFN_vkEnumerateDeviceExtensionProperties m_extensions = nullptr;
    PFN_vkCreateDevice m_createDevice = nullptr;
};

} // namespace steelyard
